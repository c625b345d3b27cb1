// The rows of a PE's slot tables with one read, at the edge: what the row at_i says is in row_o in the
// next cycle and stays until the next read. A memory of its own for each table, as they are written one
// at a time, and of the kind that the description names (pe.contextRam). They are written before anything
// runs.
module acis_rows
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::*;
(
  input  logic                clk_i,

  // Tables, as of acis_slots
  input  logic                cfg_we_i,
  input  logic [1:0]          cfg_table_i,
  input  logic [7:0]          cfg_index_i,
  input  logic [511:0]        cfg_data_i,

  input  logic                read_i,           // else row_o stays
  input  logic [SlotBits-1:0] at_i,
  output slot_row_t           row_o
);
  logic [SlotBits-1:0] index;
  assign index = SlotBits'(cfg_index_i);
  acis_ram #(.Width($bits(slot_record_t)), .Rows(ContextSlots), .Ram(ContextRam), .Apart(1'b1)) u_words (
    .clk_i, .read_i, .read_at_i(at_i), .data_o(row_o.word),
    .write_i(cfg_we_i && cfg_table_i == 2'(TableSlotWord)), .write_at_i(index), .data_i(cfg_data_i)
  );
  acis_ram #(.Width($bits(slot_extra_t)), .Rows(ContextSlots), .Ram(ContextRam), .Apart(1'b1)) u_extras (
    .clk_i, .read_i, .read_at_i(at_i), .data_o(row_o.extra),
    .write_i(cfg_we_i && cfg_table_i == 2'(TableSlotExtra)), .write_at_i(index),
    .data_i(cfg_data_i[$bits(slot_extra_t)-1:0])
  );
  acis_ram #(.Width(3 * $bits(address_record_t)), .Rows(ContextSlots), .Ram(ContextRam), .Apart(1'b1)) u_addresses (
    .clk_i, .read_i, .read_at_i(at_i), .data_o(row_o.address),
    .write_i(cfg_we_i && cfg_table_i == 2'(TableAddress)), .write_at_i(index),
    .data_i(cfg_data_i[3*$bits(address_record_t)-1:0])
  );

  // Rows of the tables are addressed with as many bits as the largest overlay needs.
  logic unused;
  assign unused = ^cfg_index_i;
endmodule
