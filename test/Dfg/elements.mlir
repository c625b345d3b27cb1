// Loops that run one element per iteration, and what cannot do that either.
// RUN: acis-opt %s --dfg-replicate='overlay=%overlays/u280-full.json' --dfg-lanes='overlay=%overlays/u280-full.json' --split-input-file --verify-diagnostics | FileCheck %s

// A recurrence with a start value, sent and returned.
// CHECK-LABEL: dfg.handler @hash
dfg.handler @hash {
  // CHECK: dfg.nest @k({{.*}}) -> (i32) attributes {scalar = "loop not mapped: each iteration needs a value that the one before computes from its own
  dfg.nest @k(%in: i32, %out: i32, %n: i32, %h0: i32) -> (i32) {
    %c31 = dfg.const 31 : i32
    // CHECK: dfg.graph (%[[I0:.*]], %[[I1:.*]]) trip %{{.*}} inner 1 per 1 vf 1 lane_bits 32 -> (i32) attributes {scalar}
    // CHECK: %[[H:.*]] = dfg.carry %[[NEXT:.*]] before 1 from %arg3
    // CHECK: dfg.compute mul(%[[H]]
    // CHECK: %[[NEXT]] = dfg.compute add
    // CHECK: dfg.stream.write %[[NEXT]], [%arg1 + %[[I1]] * 4]
    // CHECK: %[[LAST:.*]] = dfg.last %[[NEXT]]
    // CHECK: dfg.yield %[[LAST]]
    %r = dfg.loop %i to %n iter_args(%h = %h0) -> (i32) {
      %m = dfg.compute mul(%h, %c31) : (i32, i32) -> i32
      %x = dfg.stream.read [%in + %i * 4] : i32
      %t = dfg.compute add(%m, %x) : (i32, i32) -> i32
      dfg.stream.write %t, [%out + %i * 4] : i32
      dfg.yield %t : i32
    }
    dfg.return %r : i32
  }
}

// -----

// A table: one element, at an index that counts elements.
// CHECK-LABEL: dfg.handler @lookup
dfg.handler @lookup {
  dfg.array @a : i32, [256]
  dfg.nest @k(%in: i32, %out: i32, %n: i32) {
    dfg.loop %i to %n {
      %v = dfg.stream.read [%in + %i * 4] : i32
      // CHECK: dfg.vrf.read @a [0] index(%{{.*}} * 1 : vector<1xi32>)
      %w = dfg.vrf.read @a [0] index(%v * 1 : i32) : i32
      dfg.stream.write %w, [%out + %i * 4] : i32
    }
    dfg.return
  }
}

// -----

// The first and the third of three elements: the second is popped too.
// CHECK-LABEL: dfg.handler @third
dfg.handler @third {
  dfg.nest @k(%in: i32, %out: i32, %n: i32) {
    dfg.loop %i to %n {
      // CHECK-COUNT-3: dfg.stream.read
      %v = dfg.stream.read [%in + %i * 12] : i32
      %w = dfg.stream.read [%in + %i * 12 + 8] : i32
      %s = dfg.compute add(%v, %w) : (i32, i32) -> i32
      dfg.stream.write %s, [%out + %i * 4] : i32
    }
    dfg.return
  }
}

// -----

// Behind the last element that is wanted the packet may end.
dfg.handler @behind {
  dfg.nest @k(%in: i32, %out: i32, %n: i32) {
    dfg.loop %i to %n {
      // expected-error @+2 {{stream position moves by 12 bytes from lane to lane}}
      // expected-note @+1 {{stream position moves by 12 bytes in each iteration, which reads 4; read all of them}}
      %v = dfg.stream.read [%in + %i * 12] : i32
      dfg.stream.write %v, [%out + %i * 4] : i32
    }
    dfg.return
  }
}

// -----

// An inner loop of a few iterations is unrolled; its value is carried through.
// CHECK-LABEL: dfg.handler @inner
dfg.handler @inner {
  dfg.nest @k(%in: i32, %out: i32, %n: i32) {
    %zero = dfg.const 0 : i32
    // CHECK: dfg.graph
    // CHECK: %[[C:.*]] = dfg.carry
    // CHECK: xor(%[[C]]
    // CHECK-COUNT-4: dfg.compute mul
    // CHECK-NOT: dfg.compute mul
    %r = dfg.loop %i to %n iter_args(%s = %zero) -> (i32) {
      %x = dfg.stream.read [%in + %i * 4] : i32
      %y = dfg.compute xor(%s, %x) : (i32, i32) -> i32
      %q = dfg.loop %j to 4 iter_args(%t = %y) -> (i32) {
        %u = dfg.compute mul(%t, %t) : (i32, i32) -> i32
        dfg.yield %u : i32
      }
      dfg.stream.write %q, [%out + %i * 4] : i32
      dfg.yield %q : i32
    }
    dfg.return
  }
}

// -----

// Gaps in the output cannot be filled.
dfg.handler @gap {
  dfg.nest @k(%in: i32, %out: i32, %n: i32) {
    dfg.loop %i to %n {
      %v = dfg.stream.read [%in + %i * 4] : i32
      // expected-error @+2 {{stream position moves by 8 bytes from lane to lane}}
      // expected-note @+1 {{nor can it run one element per iteration: stream position moves by 8 bytes in each iteration, which writes 4; write all of them}}
      dfg.stream.write %v, [%out + %i * 8] : i32
    }
    dfg.return
  }
}

// -----

// An order that only lanes have.
dfg.handler @sum {
  dfg.nest @k(%in: i32, %n: i32) -> (f32) {
    %one = dfg.const 1.0 : f32
    %r = dfg.loop %i to %n iter_args(%s = %one) -> (f32) {
      %v = dfg.stream.read [%in + %i * 4] : f32
      // expected-error @+2 {{a floating-point reduction starts with a value other than the neutral one}}
      // expected-note @+1 {{nor can it run one element per iteration: this sum is over the lanes}}
      %t = dfg.compute fadd(%s, %v) reassoc : (f32, f32) -> f32
      dfg.yield %t : f32
    }
    dfg.return %r : f32
  }
}

// -----

// Too large to be unrolled.
dfg.handler @large {
  dfg.array @a : i32, [64]
  dfg.nest @k(%in: i32, %out: i32, %n: i32) {
    %zero = dfg.const 0 : i32
    dfg.loop %i to %n iter_args(%s = %zero) -> (i32) {
      %x = dfg.stream.read [%in + %i * 4] : i32
      // expected-error @+2 {{each iteration needs a value that the one before computes from its own}}
      // expected-note @+1 {{nor can it run one element per iteration: inner loop is too large to be unrolled into the loop around it}}
      %q = dfg.loop %j to 1000 iter_args(%t = %s) -> (i32) {
        %u = dfg.compute mul(%t, %x) : (i32, i32) -> i32
        dfg.yield %u : i32
      }
      dfg.stream.write %q, [%out + %i * 4] : i32
      dfg.yield %q : i32
    }
    dfg.return
  }
}

// -----

// Rows with work before and after the loop along them: one loop, whose carried value starts
// anew in each row, and which writes the row's sum in its last iteration.
// CHECK-LABEL: dfg.handler @rows
dfg.handler @rows {
  dfg.array @q : i32, [8]
  dfg.nest @k(%in: i32, %n: i32, %s0: i32) attributes {scalar = "test"} {
    // CHECK: dfg.graph (%[[I0:.*]], %[[I1:.*]]) trip %{{.*}} inner 100 per 1 vf 1
    dfg.loop %i to %n {
      // CHECK: %[[S:.*]] = dfg.carry %[[T:.*]] before 1 from %{{.*}} {row}
      %s = dfg.loop %j to 100 iter_args(%t = %s0) -> (i32) attributes {flatten} {
        // CHECK: dfg.stream.read [{{.*}}%[[I1]] * 400 + %[[I0]] * 4]
        %x = dfg.stream.read [%in + %i * 400 + %j * 4] : i32
        // CHECK: %[[T]] = dfg.compute xor(%[[S]]
        %u = dfg.compute xor(%t, %x) : (i32, i32) -> i32
        dfg.yield %u : i32
      }
      // CHECK: %[[LAST:.*]] = dfg.compute eq(
      // CHECK: dfg.vrf.write %[[T]], @q [%[[I1]]] if %[[LAST]]
      dfg.vrf.write %s, @q [%i] : i32
    }
    dfg.return
  }
}
