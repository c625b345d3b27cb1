// What the verifiers refuse. The working forms are in import-contract.mlir.
// RUN: acis-opt %s --split-input-file --verify-diagnostics

dfg.handler @a {
  // expected-error @+1 {{'x' is per_vpe and has one dimension; the first is the VPE, so it needs two or more}}
  dfg.array @x : f32, [16] {per_vpe}
}

// -----

dfg.handler @a {
  // expected-error @+1 {{'x' has elements of type 'i1'; allowed are i8, i16, i32, i64, f32 and f64}}
  dfg.array @x : i1, [16]
}

// -----

dfg.handler @a {
  // expected-error @+1 {{'k' has an argument of type 'i8'; allowed are i32, i64, f32 and f64}}
  dfg.nest @k(%c: i8) { dfg.return }
}

// -----

dfg.handler @a {
  dfg.nest @k(%n: i32) {
    dfg.loop %i to %n {
      %m = dfg.compute add(%i, %n) : (i32, i32) -> i32
      // expected-error @+1 {{has a trip count computed inside the nest; only a nest argument or a constant is allowed}}
      dfg.loop %j to %m { }
    }
    dfg.return
  }
}

// -----

dfg.handler @a {
  dfg.nest @k(%n: i32, %in: i32) {
    dfg.loop %i to %n {
      %m = dfg.compute mul(%i, %i) : (i32, i32) -> i32
      // expected-error @+1 {{has a computed value in its position; a position is made of loop indices, nest arguments and constants (an array access may have one as its index)}}
      %v = dfg.stream.read [%in + %m * 4] : i32
    }
    dfg.return
  }
}

// -----

dfg.handler @a {
  dfg.nest @k(%n: i32, %in: i32) {
    dfg.loop %i to %n {
      // expected-error @+1 {{multiplies two loop indices in its position}}
      %v = dfg.stream.read [%in + %i * %i] : i32
    }
    dfg.return
  }
}

// -----

dfg.handler @a {
  dfg.array @x : f32, [16, 16] {per_vpe}
  dfg.nest @k(%n: i32) {
    dfg.loop %i to %n {
      // expected-error @+1 {{array 'x' is per_vpe: the access needs vpe(..)}}
      %v = dfg.vrf.read @x [%i] : f32
    }
    dfg.return
  }
}

// -----

dfg.handler @a {
  dfg.array @x : f32, [16, 16] {per_vpe}
  dfg.nest @k(%n: i32) {
    dfg.loop %i to %n {
      // expected-error @+1 {{takes the VPE from a value that is no loop index; index the first dimension of 'x' with a loop's index plus a constant}}
      %v = dfg.vrf.read @x vpe(%n) [%i] : f32
    }
    dfg.return
  }
}

// -----

dfg.handler @a {
  dfg.array @x : f32, [16]
  dfg.nest @k(%n: i32) {
    dfg.loop %i to %n {
      // expected-error @+1 {{has type 'i32'; array 'x' holds 'f32'}}
      %v = dfg.vrf.read @x [%i] : i32
    }
    dfg.return
  }
}

// -----

dfg.handler @a {
  dfg.nest @k(%n: i32) {
    dfg.loop %i to %n {
      // expected-error @+1 {{'add' has 1 operands; expected 2}}
      %v = dfg.compute add(%n) : (i32) -> i32
    }
    dfg.return
  }
}

// -----

dfg.handler @a {
  dfg.nest @k(%n: i32) {
    dfg.loop %i to %n {
      // expected-error @+1 {{'fadd' needs floating-point operands}}
      %v = dfg.compute fadd(%n, %n) : (i32, i32) -> i32
    }
    dfg.return
  }
}

// -----

dfg.handler @a {
  dfg.nest @k(%n: i32) {
    dfg.loop %i to %n {
      // expected-error @+1 {{'ult' needs two operands of one type and gives i1}}
      %v = dfg.compute ult(%n, %n) : (i32, i32) -> i32
    }
    dfg.return
  }
}

// -----

dfg.handler @a {
  dfg.nest @k(%n: i32) {
    dfg.loop %i to %n {
      // expected-error @+1 {{'iota' is only allowed in a dfg.graph}}
      %v = dfg.compute iota() : () -> i32
    }
    dfg.return
  }
}

// -----

dfg.handler @a {
  dfg.nest @k(%n: i32, %in: i32) {
    dfg.graph (%i0, %i1) trip %n inner 1 per 16 vf 16 lane_bits 32 {
      // expected-error @+1 {{has type 'vector<8xi32>'; beats of this graph are 16 elements of at most 32 bits}}
      %v = dfg.stream.read [%in + %i1 * 64] : vector<8xi32>
    }
    dfg.return
  }
}

// -----

dfg.handler @a {
  dfg.nest @k(%n: i32) {
    dfg.graph (%i0, %i1) trip %n inner 4 per 1 vf 1 lane_bits 32 attributes {scalar} {
      %zero = dfg.const 0 : i32
      // expected-error @+1 {{starts anew in each row and has distance 2; allowed is 1}}
      %c = dfg.carry %m before 2 from %zero {row} : vector<1xi32>, i32 -> vector<1xi32>
      %m = dfg.compute add(%c, %zero) : (vector<1xi32>, i32) -> vector<1xi32>
    }
    dfg.return
  }
}
