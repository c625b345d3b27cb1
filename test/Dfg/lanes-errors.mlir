// What cannot become lanes. The working forms are in lanes.mlir.
// RUN: acis-opt %s --dfg-replicate='overlay=%overlays/u280-full.json' --dfg-lanes='overlay=%overlays/u280-full.json lanes-only' --split-input-file --verify-diagnostics

dfg.handler @stride {
  dfg.nest @k(%in: i32, %out: i32, %n: i32) {
    dfg.loop %i to %n {
      // expected-error @+1 {{stream position moves by 8 bytes from lane to lane, elements have 4; they have to be adjacent (or the same for all lanes)}}
      %v = dfg.stream.read [%in + %i * 8] : i32
      dfg.stream.write %v, [%out + %i * 4] : i32
    }
    dfg.return
  }
}

// -----

dfg.handler @skip {
  dfg.array @a : i32, [16]
  dfg.nest @k(%in: i32, %n: i32) {
    dfg.loop %i to %n {
      dfg.loop %l to 16 {
        // expected-error @+1 {{loop reads 64 of 128 bytes of the stream per iteration; read all of them}}
        %v = dfg.stream.read [%in + %i * 128 + %l * 4] : i32
        dfg.vrf.write %v, @a [%l] : i32
      }
    }
    dfg.return
  }
}

// -----

dfg.handler @part {
  dfg.array @a : i32, [4, 16] {per_vpe}
  dfg.nest @k(%in: i32, %n: i32) {
    dfg.loop %i to %n {
      dfg.loop %p to 4 {
        // expected-error @+1 {{loop uses 4 of the 16 elements of a beat of the stream; use all of them}}
        %v = dfg.stream.read [%in + %i * 64 + %p * 4] : i32
        dfg.loop %l to 16 {
          dfg.vrf.write %v, @a vpe(%p) [%l] : i32
        }
      }
    }
    dfg.return
  }
}

// -----

dfg.handler @again {
  dfg.array @a : i32, [16]
  dfg.nest @k(%in: i32, %n: i32) {
    dfg.loop %i to %n {
      dfg.loop %l to 16 {
        // expected-error @+1 {{stream position does not move forward in the loop; copy what is needed again to an array}}
        %v = dfg.stream.read [%in + %l * 4] : i32
        dfg.vrf.write %v, @a [%l] : i32
      }
    }
    dfg.return
  }
}

// -----

dfg.handler @single {
  dfg.nest @k(%out: i32, %n: i32, %v: i32) {
    dfg.loop %i to %n {
      dfg.loop %l to 16 {
        // expected-error @+1 {{stream position moves by 0 bytes from lane to lane, elements have 4; they have to be adjacent: collect single values in an array and send it by a loop}}
        dfg.stream.write %v, [%out + %i * 4] : i32
      }
    }
    dfg.return
  }
}

// -----

dfg.handler @types {
  dfg.array @a : i32, [16]
  dfg.nest @k(%in: i32, %n: i32) {
    dfg.loop %i to %n {
      dfg.loop %l to 16 {
        %v = dfg.stream.read [%in + %i * 128 + %l * 4] : i32
        // expected-error @+1 {{stream is accessed with two element types in one loop; use one, or one loop for each}}
        %w = dfg.stream.read [%in + %i * 128 + %l * 4 + 64] : f32
        dfg.vrf.write %v, @a [%l] : i32
      }
    }
    dfg.return
  }
}

// -----

// A matrix read by columns.
dfg.handler @column {
  dfg.array @a : f32, [16]
  dfg.nest @k(%mem: i32) {
    dfg.loop %l to 16 {
      // expected-error @+1 {{memory address moves by 64 bytes from lane to lane; expected 4 (adjacent elements) or 0 (one element for all lanes): exchange the loops or the dimensions}}
      %v = dfg.mem.read [%mem + %l * 64] : f32
      dfg.vrf.write %v, @a [%l] : f32
    }
    dfg.return
  }
}

// -----

dfg.handler @misaligned {
  dfg.array @a : f32, [16, 20]
  dfg.nest @k(%n: i32) {
    %zero = dfg.const 0.0 : f32
    dfg.loop %i to %n {
      dfg.loop %l to 16 {
        // expected-error @+1 {{array 'a' is accessed at a multiple of 20 elements, which is not a whole beat of 16; make the last dimension a multiple of the lanes}}
        dfg.vrf.write %zero, @a [%i * 20 + %l] : f32
      }
    }
    dfg.return
  }
}

// -----

dfg.handler @offset {
  dfg.array @a : f32, [64]
  dfg.nest @k() {
    %zero = dfg.const 0.0 : f32
    dfg.loop %l to 16 {
      // expected-error @+1 {{array 'a' is accessed 3 elements from its start; lanes begin at a multiple of 16}}
      dfg.vrf.write %zero, @a [%l + 3] : f32
    }
    dfg.return
  }
}

// -----

// A table: lanes would have to exchange elements.
dfg.handler @table {
  dfg.array @a : i32, [256]
  dfg.nest @k(%in: i32, %out: i32, %n: i32) {
    dfg.loop %i to %n {
      %v = dfg.stream.read [%in + %i * 4] : i32
      // expected-error @+1 {{element of array 'a' moves by 0 from lane to lane}}
      dfg.vrf.write %v, @a [0] index(%v * 1 : i32) : i32
    }
    dfg.return
  }
}

// -----

dfg.handler @lookup {
  dfg.array @a : i32, [256]
  dfg.nest @k(%in: i32, %out: i32, %n: i32) {
    dfg.loop %i to %n {
      %v = dfg.stream.read [%in + %i * 4] : i32
      // expected-error @+1 {{array 'a' is indexed in steps of 1 elements by a computed value; lanes cannot exchange elements, so the last dimension has to be a multiple of the 16 lanes and indexed by the lane}}
      %w = dfg.vrf.read @a [0] index(%v * 1 : i32) : i32
      dfg.stream.write %w, [%out + %i * 4] : i32
    }
    dfg.return
  }
}

// -----

dfg.handler @odd {
  dfg.array @a : f32, [64, 20]
  dfg.nest @k(%n: i32) {
    %zero = dfg.const 0.0 : f32
    dfg.loop %i to %n {
      // expected-error @+1 {{loop not mapped with the loop around it: its 20 iterations do not fill whole beats of 16 elements}}
      dfg.loop %l to 20 {
        dfg.vrf.write %zero, @a [%i * 20 + %l] : f32
      }
    }
    dfg.return
  }
}

// -----

dfg.handler @inner {
  dfg.array @a : f32, [16]
  dfg.nest @k(%n: i32, %m: i32) {
    %zero = dfg.const 0.0 : f32
    dfg.loop %i to %n {
      // expected-error @+1 {{loop not mapped with the loop around it: the number of its iterations is not a constant}}
      dfg.loop %l to %m {
        dfg.vrf.write %zero, @a [%l] : f32
      }
    }
    dfg.return
  }
}

// -----

dfg.handler @deep {
  dfg.array @a : f32, [64, 16]
  dfg.nest @k(%n: i32) {
    %zero = dfg.const 0.0 : f32
    // expected-error @+1 {{loop nest needs 3 levels besides the lanes; the sequencer has 2: merge two loops or unroll one}}
    dfg.loop %i to %n {
      dfg.loop %j to 4 {
        dfg.loop %k to 4 {
          dfg.loop %l to 16 {
            dfg.vrf.write %zero, @a [%j * 16 + %k * 128 + %l] : f32
          }
        }
      }
    }
    dfg.return
  }
}

// -----

dfg.handler @sum {
  dfg.nest @k(%in: i32, %n: i32) -> (f32) {
    %one = dfg.const 1.0 : f32
    %r = dfg.loop %i to %n iter_args(%s = %one) -> (f32) {
      %v = dfg.stream.read [%in + %i * 4] : f32
      // expected-error @+1 {{a floating-point reduction starts with a value other than the neutral one, and the scalar unit has no floating point to add it after the loop; start with the neutral value}}
      %t = dfg.compute fadd(%s, %v) reassoc : (f32, f32) -> f32
      dfg.yield %t : f32
    }
    dfg.return %r : f32
  }
}

// -----

// Each value depends on the other one of the iteration before.
dfg.handler @mutual {
  dfg.nest @k(%in: i32, %out: i32, %n: i32) {
    %zero = dfg.const 0 : i32
    dfg.loop %i to %n iter_args(%a = %zero, %b = %zero) -> (i32, i32) {
      %x = dfg.stream.read [%in + %i * 4] : i32
      // expected-error @+1 {{loop not mapped: each iteration needs a value that the one before computes from its own}}
      %t = dfg.compute add(%b, %x) : (i32, i32) -> i32
      dfg.stream.write %t, [%out + %i * 4] : i32
      dfg.yield %t, %a : i32, i32
    }
    dfg.return
  }
}

// -----

// %w is needed at the top of the iteration; its read comes after a write to the array.
dfg.handler @early {
  dfg.array @a : i32, [64]
  dfg.nest @k(%in: i32, %n: i32) {
    %zero = dfg.const 0 : i32
    dfg.loop %i to 64 iter_args(%p = %zero) -> (i32) {
      %x = dfg.stream.read [%in + %i * 4] : i32
      %s = dfg.compute add(%x, %p) : (i32, i32) -> i32
      dfg.vrf.write %x, @a [%i] : i32
      // expected-error @+1 {{value of the iteration before is read after a write to the same place; read it at the start of the loop}}
      %w = dfg.vrf.read @a [%i] : i32
      dfg.vrf.write %s, @a [%i] : i32
      dfg.yield %w : i32
    }
    dfg.return
  }
}
