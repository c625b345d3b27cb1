// The nests that the importer has to produce, one per kind of loop; docs/rationale/dfg.md
// explains them. Every one survives printing and reading.
// RUN: acis-opt %s | acis-opt | FileCheck %s
// RUN: acis-opt %s --mlir-print-op-generic | acis-opt | FileCheck %s

// for (i < n) out[i] = in[i] + c;
// CHECK-LABEL: dfg.handler @add
dfg.handler @add {
  // CHECK: dfg.nest @k0(%arg0: i32, %arg1: i32, %arg2: i32, %arg3: i32) {
  dfg.nest @k0(%in: i32, %out: i32, %c: i32, %n: i32) {
    // CHECK-NEXT: dfg.loop %[[I:.*]] to %arg3 {
    dfg.loop %i to %n {
      // CHECK-NEXT: %[[V:.*]] = dfg.stream.read [%arg0 + %[[I]] * 4] : i32
      %v = dfg.stream.read [%in + %i * 4] : i32
      // CHECK-NEXT: %[[S:.*]] = dfg.compute add(%[[V]], %arg2) : (i32, i32) -> i32
      %s = dfg.compute add(%v, %c) : (i32, i32) -> i32
      // CHECK-NEXT: dfg.stream.write %[[S]], [%arg1 + %[[I]] * 4] : i32
      dfg.stream.write %s, [%out + %i * 4] : i32
    }
    dfg.return
  }
}

// for (i < n) s += in[i];  s starts at 0 and is used by control code
// CHECK-LABEL: dfg.handler @sum
dfg.handler @sum {
  // CHECK: dfg.nest @k0(%{{.*}}: i32, %{{.*}}: i32) -> (i32) {
  dfg.nest @k0(%in: i32, %n: i32) -> (i32) {
    %zero = dfg.const 0 : i32
    // CHECK: %[[R:.*]] = dfg.loop %[[I:.*]] to %{{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (i32) {
    %r = dfg.loop %i to %n iter_args(%s = %zero) -> (i32) {
      %v = dfg.stream.read [%in + %i * 4] : i32
      %t = dfg.compute add(%s, %v) : (i32, i32) -> i32
      // CHECK: dfg.yield %{{.*}} : i32
      dfg.yield %t : i32
    }
    // CHECK: dfg.return %[[R]] : i32
    dfg.return %r : i32
  }
}

// y = k0 * x[i] + k1 * x[i-1]: the window is carried, oldest last
// CHECK-LABEL: dfg.handler @fir
dfg.handler @fir {
  dfg.nest @k0(%in: i32, %out: i32, %n: i32, %k0: f32, %k1: f32) {
    %zero = dfg.const 0.0 : f32
    %w:2 = dfg.loop %i to %n iter_args(%w0 = %zero, %w1 = %zero) -> (f32, f32) {
      // the C loop does w1 = w0; w0 = in[i]; so w1's next value is w0's old one
      %x = dfg.stream.read [%in + %i * 4] : f32
      %a = dfg.compute fmul(%x, %k0) : (f32, f32) -> f32
      %b = dfg.compute fmul(%w0, %k1) : (f32, f32) -> f32
      %y = dfg.compute fadd(%a, %b) : (f32, f32) -> f32
      dfg.stream.write %y, [%out + %i * 4] : f32
      // CHECK: dfg.yield %{{.*}}, %{{.*}} : f32, f32
      dfg.yield %x, %w0 : f32, f32
    }
    dfg.return
  }
}

// CHECK-LABEL: dfg.handler @gcn_split
dfg.handler @gcn_split {
  // CHECK: dfg.array @x : f32, [16, 256, 16] {per_vpe, persistent}
  dfg.array @x : f32, [16, 256, 16] {per_vpe, persistent}
  dfg.array @acc : f32, [16, 3584, 16] {per_vpe, persistent}

  // x[p][r][f] = mem[(p * xrows + r) * F + f];
  dfg.nest @load(%mem: i32, %xrows: i32) {
    dfg.loop %p to 16 {
      dfg.loop %r to %xrows {
        dfg.loop %f to 16 {
          // CHECK: dfg.mem.read [%{{.*}} + %{{.*}} * %{{.*}} * 64 + %{{.*}} * 64 + %{{.*}} * 4] : f32
          %v = dfg.mem.read [%mem + %p * %xrows * 64 + %r * 64 + %f * 4] : f32
          // CHECK: dfg.vrf.write %{{.*}}, @x vpe(%{{.*}}) [%{{.*}} * 16 + %{{.*}}] : f32
          dfg.vrf.write %v, @x vpe(%p) [%r * 16 + %f] : f32
        }
      }
    }
    dfg.return
  }

  // w = in[pos + b * P + p]; row = w >> 16, col = w & 0xffff;
  // acc[p][row][f] += x[p][col][f];
  dfg.nest @accumulate(%pos: i32, %beats: i32) {
    dfg.loop %b to %beats {
      dfg.loop %p to 16 {
        %w = dfg.stream.read [%pos + %b * 64 + %p * 4] : i32
        %c16 = dfg.const 16 : i32
        %mask = dfg.const 65535 : i32
        %row = dfg.compute lshr(%w, %c16) : (i32, i32) -> i32
        %col = dfg.compute and(%w, %mask) : (i32, i32) -> i32
        dfg.loop %f to 16 {
          // CHECK: dfg.vrf.read @x vpe(%{{.*}}) [%{{.*}}] index(%{{.*}} * 16 : i32) : f32
          %xv = dfg.vrf.read @x vpe(%p) [%f] index(%col * 16 : i32) : f32
          %a = dfg.vrf.read @acc vpe(%p) [%f] index(%row * 16 : i32) : f32
          %s = dfg.compute fadd(%a, %xv) : (f32, f32) -> f32
          dfg.vrf.write %s, @acc vpe(%p) [%f] index(%row * 16 : i32) : f32
        }
      }
    }
    dfg.return
  }

  // s = acc[0][r][f], zero it, add the other VPEs', send; unrolled over p or not
  dfg.nest @drain(%out: i32, %rows: i32) {
    dfg.loop %r to %rows {
      dfg.loop %f to 16 {
        %zero = dfg.const 0.0 : f32
        // CHECK: dfg.vrf.read @acc vpe(0)
        %s0 = dfg.vrf.read @acc vpe(0) [%r * 16 + %f] : f32
        dfg.vrf.write %zero, @acc vpe(0) [%r * 16 + %f] : f32
        %sum = dfg.loop %q to 15 iter_args(%s = %s0) -> (f32) {
          // CHECK: dfg.vrf.read @acc vpe(%{{.*}} + 1)
          %v = dfg.vrf.read @acc vpe(%q + 1) [%r * 16 + %f] : f32
          %t = dfg.compute fadd(%s, %v) : (f32, f32) -> f32
          dfg.vrf.write %zero, @acc vpe(%q + 1) [%r * 16 + %f] : f32
          dfg.yield %t : f32
        }
        dfg.stream.write %sum, [%out + %r * 64 + %f * 4] : f32
      }
    }
    dfg.return
  }
}

// acc[c][u][l] += idx < K ? x[c][idx][l] : 0, idx = in[(i * U + u) * 16 + l], and types
// of other sizes, flags and the output of a byte
// CHECK-LABEL: dfg.handler @gcn_os
dfg.handler @gcn_os {
  dfg.array @x : f32, [16, 64, 16] {per_vpe}
  dfg.array @acc : f32, [16, 8, 16] {per_vpe}
  dfg.array @seen : i8, [16]
  dfg.nest @k0(%in: i32, %out: i32, %mem: i32, %n: i32) {
    dfg.loop %i to %n {
      dfg.loop %u to 8 {
        dfg.loop %c to 16 {
          dfg.loop %l to 16 {
            %idx = dfg.stream.read [%in + %i * 512 + %u * 64 + %l * 4] : i32
            %k = dfg.const 64 : i32
            %zero = dfg.const 0.0 : f32
            %ok = dfg.compute ult(%idx, %k) : (i32, i32) -> i1
            // CHECK: dfg.vrf.read @x vpe(%{{.*}}) [%{{.*}}] index(%{{.*}} * 16 : i32) guarded : f32
            %x = dfg.vrf.read @x vpe(%c) [%l] index(%idx * 16 : i32) guarded : f32
            %v = dfg.compute select(%ok, %x, %zero) : (i1, f32, f32) -> f32
            %a = dfg.vrf.read @acc vpe(%c) [%u * 16 + %l] : f32
            %s = dfg.compute fadd(%a, %v) : (f32, f32) -> f32
            dfg.vrf.write %s, @acc vpe(%c) [%u * 16 + %l] : f32
            %b = dfg.vrf.read @seen [%l] : i8
            %wide = dfg.compute sext(%b) : (i8) -> i32
            // CHECK: dfg.vrf.write %{{.*}}, @seen [%{{.*}}] if %{{.*}} : i1 : i8
            dfg.vrf.write %b, @seen [%l] if %ok : i1 : i8
            // CHECK: dfg.mem.write %{{.*}}, [%{{.*}}] if %{{.*}} : i1 as i16 : i32
            dfg.mem.write %wide, [%mem + %l * 2] if %ok : i1 as i16 : i32
          }
        }
      }
    }
    dfg.return
  }
}
