/* Tile sizes of the three dataflows: what the handlers are compiled with and the packer
 * packs for. They can be set with -D (and options of gcn-pack); the values of the FLASH
 * paper (ICS'23, table 3) are listed in README.md. */
#ifndef ACIS_GCN_TILES_H
#define ACIS_GCN_TILES_H

#define FEATURES 16 /* columns of the dense matrix */

/* split: rows of the dense matrix and of the result that a VPE's registers hold */
#ifndef SPLIT_X
#define SPLIT_X 256
#endif
#ifndef SPLIT_ROWS
#define SPLIT_ROWS 3584
#endif

/* os: rows of the dense matrix in a tile (VLEN), groups of 16 result rows in a row tile
 * (unroll), row tiles whose sums are in registers at the same time */
#ifndef OS_VLEN
#define OS_VLEN 1024
#endif
#ifndef OS_UNROLL
#define OS_UNROLL 32
#endif
#ifndef OS_ROW_TILES
#define OS_ROW_TILES 32
#endif

/* ws: rows of the dense matrix in a tile (unroll), groups of 16 result rows in a row tile
 * (VLEN), row tiles whose sums are in registers at the same time */
#ifndef WS_UNROLL
#define WS_UNROLL 32
#endif
#ifndef WS_VLEN
#define WS_VLEN 128
#endif
#ifndef WS_ROW_TILES
#define WS_ROW_TILES 16
#endif

#endif
