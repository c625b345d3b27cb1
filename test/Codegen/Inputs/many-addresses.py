"""A loop with more array addresses in a PE than a PE has, and one with as many. usage: many-addresses.py COUNT"""
import sys

count = int(sys.argv[1])
print("""dfg.handler @add {
  dfg.array @x : f32, [8192] {home = 1 : i32, lane_bits = 32 : i32}
  dfg.nest @k0(%in: i32, %out: i32, %c: i32, %n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 1 vf 16 lane_bits 32 attributes {ii = 128 : i32} {""")
for i in range(min(count, 256)):
    print(f"      %v{i} = dfg.vrf.read @x [%i1 * 16 + {16 * i}] {{pe = 1 : i32, place = #dfg.place<pe 1, time {i // 2}, port {i % 2}>}} : vector<16xf32>")
if count > 256:
    print("      dfg.vrf.write %v0, @x [%i1 * 32] {pe = 1 : i32, place = #dfg.place<pe 1, time 3, port 0>, routes = [#dfg.route<1:0 bus delay 3>, #dfg.route<>]} : vector<16xf32>")
print("""      dfg.yield
    }
    dfg.return
  }
}""")
