// What a source carries, of those that there are; 0 of another one, and while there is nothing (on_i).
//
// Of few sources each look-up table of four inputs takes two, so that one of n costs n / 2 tables a bit: a table
// hands on what those before it have chosen, or chooses, in the pair that the source is of, by that between the
// two. Of many sources the way through all pairs would be long.
module acis_pick
  import acis_isa_pkg::*;
#(
  parameter int unsigned Width = 64,
  parameter logic [NumSources-1:0] There = '1   // the sources that there are, by number
) (
  input  logic                              on_i,
  input  logic [4:0]                        source_i,
  input  logic [NumSources-1:0][Width-1:0]  from_i,   // by number; 0 of those that there are not
  output logic [Width-1:0]                  value_o
);
  localparam int unsigned Few = 10;
  localparam int unsigned Count = $countones(There);
  // The n-th that there is
  function automatic logic [4:0] numberOf(int unsigned n);
    int unsigned seen;
    seen = 0;
    numberOf = '0;
    for (int unsigned s = 0; s < NumSources; ++s)
      if (There[s]) begin
        if (seen == n)
          numberOf = 5'(s);
        seen = seen + 1;
      end
  endfunction

  if (Count <= Few) begin : g_few
    localparam int unsigned Pairs = (Count + 1) / 2;
    logic [Pairs-1:0] of_pair, second;
    logic [Pairs-1:0][1:0][Width-1:0] from;
    for (genvar p = 0; p < int'(Pairs); ++p) begin : g_pair
      localparam bit Both = 2 * p + 1 < int'(Count);
      localparam logic [4:0] First = numberOf(2 * p), Second = numberOf(2 * p + 1);
      assign from[p] = {Both ? from_i[Second] : '0, from_i[First]};
      assign second[p] = Both && on_i && source_i == Second;
      assign of_pair[p] = second[p] || (on_i && source_i == First);
    end
    always_comb begin
      value_o = !of_pair[0] ? {Width{second != '0}} : second != '0 ? from[0][1] : from[0][0];
      for (int p = 1; p < int'(Pairs); ++p)
        if (of_pair[p])
          value_o = (value_o & from[p][1]) | (~value_o & from[p][0]);
    end
    logic unused;
    assign unused = ^from_i;
  end else begin : g_many
    assign value_o = on_i ? from_i[source_i] : '0;
  end
endmodule
