// Reductions: what is accepted, and what has to stay in source order.
// RUN: acis-opt %s --dfg-lanes='overlay=%overlays/u280.json lanes-only' --split-input-file --verify-diagnostics | FileCheck %s

// Two updates of one sum become one: s + (a + b).
// CHECK-LABEL: dfg.handler @chain
dfg.handler @chain {
  dfg.nest @k(%in: i32, %n: i32) -> (i32) {
    %zero = dfg.const 0 : i32
    %r = dfg.loop %i to %n iter_args(%s = %zero) -> (i32) {
      // CHECK: %[[A:.*]] = dfg.stream.read
      %a = dfg.stream.read [%in + %i * 4] : i32
      %t = dfg.compute add(%s, %a) : (i32, i32) -> i32
      // CHECK: %[[B:.*]] = dfg.compute mul(%[[A]], %[[A]])
      %b = dfg.compute mul(%a, %a) : (i32, i32) -> i32
      // CHECK: %[[AB:.*]] = dfg.compute add(%[[A]], %[[B]])
      // CHECK: dfg.reduce add(%[[AB]])
      %u = dfg.compute add(%b, %t) : (i32, i32) -> i32
      dfg.yield %u : i32
    }
    dfg.return %r : i32
  }
}

// -----

// What a condition leaves out is the neutral value, and a difference is a sum: s + (c ? a - 3 : 0)
// and p + (0 - a).
// CHECK-LABEL: dfg.handler @conditional
dfg.handler @conditional {
  dfg.nest @k(%in: i32, %n: i32) -> (i32, i32) {
    %zero = dfg.const 0 : i32
    %three = dfg.const 3 : i32
    %r:2 = dfg.loop %i to %n iter_args(%s = %zero, %p = %zero) -> (i32, i32) {
      // CHECK: %[[A:.*]] = dfg.stream.read
      %a = dfg.stream.read [%in + %i * 4] : i32
      // CHECK: %[[C:.*]] = dfg.compute slt
      %c = dfg.compute slt(%three, %a) : (i32, i32) -> i1
      // CHECK: %[[D:.*]] = dfg.compute sub(%[[A]], %{{.*}})
      %t = dfg.compute add(%s, %a) : (i32, i32) -> i32
      %u = dfg.compute sub(%t, %three) : (i32, i32) -> i32
      // CHECK: %[[T:.*]] = dfg.compute select(%[[C]], %[[D]], %{{.*}})
      // CHECK: dfg.reduce add(%[[T]])
      %v = dfg.compute select(%c, %u, %s) : (i1, i32, i32) -> i32
      // CHECK: %[[N:.*]] = dfg.compute sub(%{{.*}}, %[[A]])
      // CHECK: dfg.reduce add(%[[N]])
      %q = dfg.compute sub(%p, %a) : (i32, i32) -> i32
      dfg.yield %v, %q : i32, i32
    }
    dfg.return %r#0, %r#1 : i32, i32
  }
}

// -----

// A sum that may be reordered, carried through two loops, and a minimum.
dfg.handler @nested {
  dfg.nest @k(%in: i32, %n: i32, %first: i32) -> (f32, i32) {
    %zero = dfg.const 0.0 : f32
    %r:2 = dfg.loop %i to %n iter_args(%s = %zero, %m = %first) -> (f32, i32) {
      %q:2 = dfg.loop %j to 32 iter_args(%s1 = %s, %m1 = %m) -> (f32, i32) {
        %v = dfg.stream.read [%in + %i * 128 + %j * 4] : i32
        %f = dfg.compute sitofp(%v) : (i32) -> f32
        %t = dfg.compute fadd(%s1, %f) reassoc : (f32, f32) -> f32
        %l = dfg.compute umin(%v, %m1) : (i32, i32) -> i32
        dfg.yield %t, %l : f32, i32
      }
      dfg.yield %q#0, %q#1 : f32, i32
    }
    dfg.return %r#0, %r#1 : f32, i32
  }
}

// -----

// The largest number: NaN and the order do not matter.
// CHECK-LABEL: dfg.handler @largest
dfg.handler @largest {
  dfg.nest @k(%in: i32, %n: i32) -> (f32) {
    %least = dfg.const 0xFF800000 : f32
    %r = dfg.loop %i to %n iter_args(%s = %least) -> (f32) {
      %v = dfg.stream.read [%in + %i * 4] : f32
      // CHECK: dfg.reduce fmax(%{{.*}}) identity(0xFF800000 : f32)
      %t = dfg.compute fmax(%s, %v) : (f32, f32) -> f32
      dfg.yield %t : f32
    }
    dfg.return %r : f32
  }
}

// -----

dfg.handler @order {
  dfg.nest @k(%in: i32, %n: i32) -> (f32) {
    %zero = dfg.const 0.0 : f32 loc("total")
    %r = dfg.loop %i to %n iter_args(%s = %zero) -> (f32) {
      %v = dfg.stream.read [%in + %i * 4] : f32
      // expected-error @+1 {{loop not mapped: C fixes the order of this floating-point sum, one addition after the other; use acis_sum_f32 or acis_sum_f64, whose order the overlay has}}
      %t = dfg.compute fadd(%s, %v) : (f32, f32) -> f32
      dfg.yield %t : f32
    }
    dfg.return %r : f32
  }
}

// -----

// A prefix sum: every partial sum is sent.
dfg.handler @prefix {
  dfg.nest @k(%in: i32, %out: i32, %n: i32) {
    %zero = dfg.const 0 : i32
    %r = dfg.loop %i to %n iter_args(%s = %zero) -> (i32) {
      %v = dfg.stream.read [%in + %i * 4] : i32
      // expected-error @+1 {{loop not mapped: each iteration needs a value that the one before computes from its own}}
      %t = dfg.compute add(%s, %v) : (i32, i32) -> i32
      dfg.stream.write %t, [%out + %i * 4] : i32
      dfg.yield %t : i32
    }
    dfg.return
  }
}

// -----

dfg.handler @last {
  dfg.nest @k(%in: i32, %n: i32) -> (i32) {
    %zero = dfg.const 0 : i32
    %r = dfg.loop %i to %n iter_args(%s = %zero) -> (i32) {
      // expected-error @+1 {{loop not mapped: a value of its last iteration is used after it; only sums and other reductions leave a loop: write the value to an array or the stream}}
      %v = dfg.stream.read [%in + %i * 4] : i32
      dfg.yield %v : i32
    }
    dfg.return %r : i32
  }
}

// -----

// The row sum is needed after every row.
dfg.handler @rows {
  dfg.nest @k(%in: i32, %n: i32) -> (i32) {
    %zero = dfg.const 0 : i32
    %one = dfg.const 1 : i32
    %r = dfg.loop %i to %n iter_args(%s = %zero) -> (i32) {
      %q = dfg.loop %j to 16 iter_args(%t = %s) -> (i32) {
        %v = dfg.stream.read [%in + %i * 64 + %j * 4] : i32
        %u = dfg.compute add(%t, %v) : (i32, i32) -> i32
        dfg.yield %u : i32
      }
      // expected-error @+1 {{loop not mapped: each iteration needs a value that the one before computes from its own}}
      %x = dfg.compute xor(%q, %one) : (i32, i32) -> i32
      dfg.yield %x : i32
    }
    dfg.return %r : i32
  }
}
