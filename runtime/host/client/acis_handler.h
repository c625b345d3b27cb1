/* A host's use of packet handlers in a switch, in C: load one, stream data through it, read
 * its counters (docs/wire-handlers.md). Independent of the collectives of acis_client.h.
 *
 * Functions that can fail return an acis_result and say more in `failure`, which may be
 * NULL. Objects may be used by one thread at a time; different objects by different ones. */
#ifndef ACIS_HANDLER_H
#define ACIS_HANDLER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct acis_switch acis_switch;
typedef struct acis_handler acis_handler;

enum acis_result {
  ACIS_OK,
  ACIS_BAD_CALL,    /* an argument is not allowed */
  ACIS_UNREACHABLE, /* no switch, or no handler at the address */
  ACIS_REFUSED,     /* the switch said no */
  ACIS_LOST,        /* a packet got no answer within the deadline */
  ACIS_NO_ROOM      /* the answers are longer than the output buffer */
};

#define ACIS_NO_PACKET UINT64_MAX

typedef struct {
  int32_t code;    /* enum acis_result */
  uint64_t packet; /* which packet of the stream, from 0, or ACIS_NO_PACKET */
  char text[512];  /* what is wrong; cut if it is longer */
} acis_failure;

/* `control` is the path of acisd's control socket (a local switch). A switch must answer. */
int acis_switch_open(const char *control, acis_switch **out, acis_failure *failure);

/* A switch elsewhere (acisd --control-tls), over TLS 1.3. All are needed. */
typedef struct {
  const char *address;     /* "host:port"; the switch's certificate must be for that host */
  const char *certificate; /* PEM files: the own certificate, */
  const char *key;         /* its private key, */
  const char *authority;   /* and who signs certificates of switches */
} acis_remote;

/* The files are read again for each command, so that certificates can be renewed. */
int acis_switch_open_remote(const acis_remote *remote, acis_switch **out, acis_failure *failure);
/* Handlers that were loaded through it stay, and their objects can still be used. */
void acis_switch_close(acis_switch *device);

typedef struct {
  const char *path;  /* switch binary made by acisc; or NULL, and */
  const void *bytes; /* its content */
  size_t bytes_size;
  const char *handler; /* NULL or "": the binary has only one */
  const char *engine;  /* NULL, "fast", or "model", which counts cycles */
  /* "127.0.0.1:0" (port 0: any); one in use is replaced. NULL or "": any port, of this machine or,
   * of a switch elsewhere, of the address where its control listens. */
  const char *listen;
  /* First bytes of the handler's memory; or NULL: it has at least so many bytes, all 0, which the
   * handler fills. What is given passes the switch's control and has at most 64 MiB. */
  const void *memory;
  size_t memory_size;
  /* Of a switch with workers, if the handler keeps state between packets: NULL, "one" (it runs
   * on one worker), or "each" (on all, each with a state of its own). */
  const char *state;
} acis_load;

int acis_handler_load(acis_switch *device, const acis_load *what, acis_handler **out,
                      acis_failure *failure);
/* A handler that somebody else has loaded. Without a switch (NULL) it can only be streamed to. */
int acis_handler_attach(acis_switch *device, const char *address, acis_handler **out,
                        acis_failure *failure);
/* "127.0.0.1:9100", for acis_handler_attach() of other processes; lives as long as the object. */
const char *acis_handler_address(const acis_handler *handler);

#define ACIS_MAX_PACKET 65507 /* bytes of payload of a UDP datagram */
#define ACIS_MAX_WINDOW 256

typedef struct {
  const void *in;
  size_t in_bytes;
  size_t packet_bytes; /* of each packet but the last; 1 to ACIS_MAX_PACKET */
  void *out;           /* the answers one after the other, in the order of their packets */
  size_t capacity;
  uint32_t *lengths; /* bytes of each packet's answer, ceil(in_bytes / packet_bytes); or NULL */
  uint32_t window;   /* packets on their way at a time, 1 to ACIS_MAX_WINDOW */
  double deadline;   /* seconds from a packet to its answer, more than 0 */
} acis_stream;

/* Sends `in` as packets and waits for an answer to each; `written` gets the bytes in `out`,
 * also after a failure: then it ends with the answer before `failure->packet`.
 *
 * Nothing is sent again, because the handler may have counted the packet already: a packet
 * without an answer is an error, whether it was lost, dropped by the handler or trapped. Each
 * packet on its way has a UDP port of its own, so that an answer is not taken for another's,
 * unless the network doubles datagrams. A network that reorders flows can reorder packets of a
 * window; one of 1 keeps the order. */
int acis_handler_stream(acis_handler *handler, const acis_stream *what, size_t *written,
                        acis_failure *failure);

/* Of all hosts' packets since the port was opened. */
typedef struct {
  uint64_t received, bytes_received, processed, sent, bytes_sent;
  uint64_t dropped_trap, dropped_too_long, replaced;
  uint64_t cycles; /* engine model */
} acis_handler_counters;

int acis_handler_read_counters(acis_handler *handler, acis_handler_counters *out,
                               acis_failure *failure);
/* Closes the port in the switch; the object stays until acis_handler_close(). */
int acis_handler_unload(acis_handler *handler, acis_failure *failure);
void acis_handler_close(acis_handler *handler);

#ifdef __cplusplus
}
#endif

#endif
