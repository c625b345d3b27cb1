// Checks that simulation makes and synthesis does not see.
//
//   ACIS_ASSERT(Name, condition)        at every rising edge of clk_i outside of reset
//   ACIS_ASSERT_INIT(Name, condition)   once, of parameters
`ifndef ACIS_ASSERT_SVH
`define ACIS_ASSERT_SVH

`ifdef SYNTHESIS
`define ACIS_ASSERT(Name, Condition)
`define ACIS_ASSERT_INIT(Name, Condition)
`else
`define ACIS_ASSERT(Name, Condition) \
  Name: assert property (@(posedge clk_i) disable iff (!rst_ni) (Condition)) \
    else $error(`"Name`");
`define ACIS_ASSERT_INIT(Name, Condition) \
  initial begin \
    Name: assert (Condition) else $fatal(1, `"Name`"); \
  end
`endif

`endif
