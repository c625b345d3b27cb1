// More of what cannot become lanes, each beside what can. lanes-errors.mlir has the others.
// RUN: acis-opt %s --dfg-replicate='overlay=%overlays/u280.json' --dfg-lanes='overlay=%overlays/u280.json lanes-only' --split-input-file --verify-diagnostics -o /dev/null

// A store of every second element; the next one stores adjacent ones.
dfg.handler @store_apart {
  dfg.array @a : i32, [16]
  dfg.nest @k(%mem: i32) {
    dfg.loop %l to 16 {
      %v = dfg.vrf.read @a [%l] : i32
      // expected-error @+1 {{memory address moves by 8 bytes from lane to lane; a store writes adjacent elements, 4 bytes}}
      dfg.mem.write %v, [%mem + %l * 8] : i32
    }
    dfg.return
  }
}

// -----

dfg.handler @store_adjacent {
  dfg.array @a : i32, [16]
  dfg.nest @k(%mem: i32) {
    dfg.loop %l to 16 {
      %v = dfg.vrf.read @a [%l] : i32
      dfg.mem.write %v, [%mem + %l * 4] : i32
    }
    dfg.return
  }
}

// -----

dfg.handler @two_side_by_side {
  dfg.array @a : i32, [16]
  dfg.nest @k(%in: i32, %n: i32) {
    dfg.loop %i to %n {
      dfg.loop %l to 16 {
        %v = dfg.stream.read [%in + %i * 64 + %l * 4] : i32
        dfg.vrf.write %v, @a [%l] : i32
      }
      // expected-error @+1 {{loop not mapped with the loop around it: it is the second one in it; give each its own outer loop}}
      dfg.loop %l to 16 {
        %v = dfg.vrf.read @a [%l] : i32
        dfg.vrf.write %v, @a [%l] : i32
      }
    }
    dfg.return
  }
}

// -----

// The rows have 128 bytes, of which the inner loop takes 64.
dfg.handler @gap_of_rows {
  dfg.array @a : i32, [2, 16]
  dfg.nest @k(%in: i32, %n: i32) {
    dfg.loop %i to %n {
      dfg.loop %j to 2 {
        dfg.loop %l to 16 {
          // expected-error @+1 {{stream position moves by 256 bytes in the outer loop and 64 in the inner one, which runs 2 times: there is a gap}}
          %v = dfg.stream.read [%in + %i * 256 + %j * 64 + %l * 4] : i32
          dfg.vrf.write %v, @a [%j * 16 + %l] : i32
        }
      }
    }
    dfg.return
  }
}

// -----

dfg.handler @rows_without_gap {
  dfg.array @a : i32, [2, 16]
  dfg.nest @k(%in: i32, %n: i32) {
    dfg.loop %i to %n {
      dfg.loop %j to 2 {
        dfg.loop %l to 16 {
          %v = dfg.stream.read [%in + %i * 128 + %j * 64 + %l * 4] : i32
          dfg.vrf.write %v, @a [%j * 16 + %l] : i32
        }
      }
    }
    dfg.return
  }
}

// -----

// A write beside an inner loop of several beats would be made with each of them.
dfg.handler @beside {
  dfg.array @a : i32, [32]
  dfg.array @b : i32, [16]
  dfg.nest @k(%in: i32, %n: i32, %x: i32) {
    dfg.loop %i to %n {
      // expected-error @+1 {{access outside of the inner loop; move it into the loop or split the loop nest}}
      dfg.vrf.write %x, @b [%i] : i32
      dfg.loop %l to 32 {
        %v = dfg.stream.read [%in + %i * 128 + %l * 4] : i32
        dfg.vrf.write %v, @a [%l] : i32
      }
    }
    dfg.return
  }
}

// -----

// A read beside it may be repeated.
dfg.handler @read_beside {
  dfg.array @a : i32, [32]
  dfg.nest @k(%in: i32, %mem: i32, %n: i32) {
    dfg.loop %i to %n {
      %x = dfg.mem.read [%mem + %i * 4] : i32
      dfg.loop %l to 32 {
        %v = dfg.stream.read [%in + %i * 128 + %l * 4] : i32
        %w = dfg.compute add(%v, %x) : (i32, i32) -> i32
        dfg.vrf.write %w, @a [%l] : i32
      }
    }
    dfg.return
  }
}

// -----

// The step of a position is a value that the loop is given, times its index.
dfg.handler @step {
  dfg.array @a : i32, [16]
  dfg.nest @k(%mem: i32, %step: i32, %n: i32) {
    dfg.loop %i to %n {
      dfg.loop %l to 16 {
        // expected-error @+1 {{loop not mapped with the loop around it: the position in 'memory' moves by a step that is not a constant}}
        %v = dfg.mem.read [%mem + %step * %i + %l * 4] : i32
        dfg.vrf.write %v, @a [%l] : i32
      }
    }
    dfg.return
  }
}

// -----

// One value is added for a row, not one for each of its elements.
dfg.handler @between {
  dfg.array @a : i32, [16]
  dfg.nest @k(%in: i32, %n: i32, %x: i32) -> (i32) {
    %zero = dfg.const 0 : i32
    %r = dfg.loop %i to %n iter_args(%s = %zero) -> (i32) {
      dfg.loop %l to 16 {
        %v = dfg.stream.read [%in + %i * 64 + %l * 4] : i32
        dfg.vrf.write %v, @a [%l] : i32
      }
      // expected-error @+1 {{loop not mapped: it carries a value around an inner loop; keep it in an array}}
      %t = dfg.compute add(%s, %x) : (i32, i32) -> i32
      dfg.yield %t : i32
    }
    dfg.return %r : i32
  }
}

// -----

// Copies for VPEs run side by side, and this one hands a value on from VPE to VPE.
dfg.handler @over_vpes {
  dfg.array @a : i32, [4, 16] {per_vpe}
  dfg.nest @k(%in: i32) -> (i32) {
    %zero = dfg.const 0 : i32
    // expected-error @+1 {{a value is carried over the loop over VPEs round another loop; make the loop over VPEs the innermost one}}
    %r = dfg.loop %p to 4 iter_args(%s = %zero) -> (i32) {
      %q = dfg.loop %l to 16 iter_args(%m = %s) -> (i32) {
        %v = dfg.vrf.read @a vpe(%p) [%l] : i32
        %t = dfg.compute add(%m, %v) : (i32, i32) -> i32
        dfg.yield %t : i32
      }
      dfg.yield %q : i32
    }
    dfg.return %r : i32
  }
}

// -----

// The last value of a row is in one lane when the row is done.
dfg.handler @last_of_row {
  dfg.array @a : i32, [16]
  dfg.nest @k(%in: i32, %n: i32) -> (i32) {
    %zero = dfg.const 0 : i32
    %r = dfg.loop %i to %n iter_args(%s = %zero) -> (i32) {
      %q = dfg.loop %l to 16 iter_args(%m = %zero) -> (i32) {
        %v = dfg.stream.read [%in + %i * 64 + %l * 4] : i32
        dfg.vrf.write %v, @a [%l] : i32
        dfg.yield %v : i32
      }
      // expected-error @+1 {{loop not mapped: it carries a value around an inner loop; keep it in an array}}
      %t = dfg.compute add(%s, %q) : (i32, i32) -> i32
      dfg.yield %t : i32
    }
    dfg.return %r : i32
  }
}
