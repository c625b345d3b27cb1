// Takes records out of their words; fails to elaborate if a width is wrong.
module package_top (
  input  logic [acis_isa_pkg::SlotWords*32-1:0]    slot_i,
  input  logic [acis_isa_pkg::PeWords*32-1:0]      pe_i,
  input  logic [acis_isa_pkg::AddressWords*32-1:0] address_i,
  input  logic [acis_isa_pkg::LoopWords*32-1:0]    loop_i,
  input  logic [acis_isa_pkg::PopWords*32-1:0]     pop_i,
  output acis_isa_pkg::slot_record_t               slot_o,
  output acis_isa_pkg::pe_record_t                 pe_o,
  output acis_isa_pkg::address_record_t            address_o,
  output acis_isa_pkg::loop_record_t               loop_o,
  output acis_isa_pkg::pop_record_t                pop_o
);
  assign slot_o = slot_i;
  assign pe_o = pe_i;
  assign address_o = address_i;
  assign loop_o = loop_i;
  assign pop_o = pop_i;
endmodule
