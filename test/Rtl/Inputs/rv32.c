// Integer arithmetic, branches, memory and recursion for rv32im, compiled once for the
// overlay's scalar unit and once for an independent simulator (-DUSER_MODE). Every result is
// put out as a word; the code must need no relocation, so everything is inlined or local.
typedef unsigned int u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;

#ifdef USER_MODE
static inline __attribute__((always_inline)) void put(u32 *position, u32 value) {
  register u32 number __asm__("a7") = 64, file __asm__("a0") = 1, size __asm__("a2") = 4;
  register const u32 *from __asm__("a1") = &value;
  __asm__ volatile("ecall" : "+r"(file) : "r"(number), "r"(from), "r"(size) : "memory");
  *position += 4;
}
#else
static inline __attribute__((always_inline)) void put(u32 *position, u32 value) {
  // streamout value, position, 4 bytes
  __asm__ volatile(".insn s 0x2b, 1, %0, 2(%1)" : : "r"(value), "r"(*position) : "memory");
  *position += 4;
}
#endif

static inline __attribute__((always_inline)) u32 next(u32 *state) {
  *state ^= *state << 13;
  *state ^= *state >> 17;
  *state ^= *state << 5;
  return *state;
}

static inline __attribute__((always_inline)) void arithmetic(u32 *out, u32 a, u32 b) {
  put(out, a + b);
  put(out, a - b);
  put(out, a * b);
  put(out, (u32)((u64)((i64)(i32)a * (i64)(i32)b) >> 32));
  put(out, (u32)(((u64)a * (u64)b) >> 32));
  put(out, (u32)((u64)((i64)(i32)a * (i64)(u64)b) >> 32));
  put(out, a << (b & 31));
  put(out, a >> (b & 31));
  put(out, (u32)((i32)a >> (b & 31)));
  put(out, (i32)a < (i32)b);
  put(out, a < b);
  put(out, (a ^ b) | (a & ~b));
  u32 quotient, rest, unsignedQuotient, unsignedRest; // by 0 and overflow as the hardware has it
  __asm__("div %0, %1, %2" : "=r"(quotient) : "r"(a), "r"(b));
  __asm__("rem %0, %1, %2" : "=r"(rest) : "r"(a), "r"(b));
  __asm__("divu %0, %1, %2" : "=r"(unsignedQuotient) : "r"(a), "r"(b));
  __asm__("remu %0, %1, %2" : "=r"(unsignedRest) : "r"(a), "r"(b));
  put(out, quotient);
  put(out, rest);
  put(out, unsignedQuotient);
  put(out, unsignedRest);
}

static inline __attribute__((always_inline)) void memory(u32 *out, u32 *state) {
  volatile unsigned char bytes[256];
  for (u32 i = 0; i < sizeof bytes; ++i)
    bytes[i] = (unsigned char)next(state);
  volatile unsigned short *halves = (volatile unsigned short *)bytes;
  volatile u32 *words = (volatile u32 *)bytes;
  for (u32 i = 0; i < 60; ++i) {
    halves[next(state) % 128] = (unsigned short)next(state);
    words[next(state) % 64] = next(state);
    bytes[next(state) % 256] = (unsigned char)next(state);
    put(out, (u32)(i32)(signed char)bytes[next(state) % 256]);
    put(out, (u32)(i32)(short)halves[next(state) % 128]);
    put(out, halves[next(state) % 128]);
    put(out, bytes[next(state) % 256]);
  }
  u32 sum = 0;
  for (u32 i = 0; i < 64; ++i)
    sum = sum * 31 + words[i];
  put(out, sum);
}

/// Sorts and searches: branches of every kind.
static inline __attribute__((always_inline)) void branches(u32 *out, u32 *state) {
  volatile i32 values[64];
  for (u32 i = 0; i < 64; ++i)
    values[i] = (i32)next(state);
  for (u32 i = 1; i < 64; ++i)
    for (u32 j = i; j != 0 && values[j - 1] > values[j]; --j) {
      const i32 kept = values[j];
      values[j] = values[j - 1];
      values[j - 1] = kept;
    }
  for (u32 i = 0; i < 64; ++i)
    put(out, (u32)values[i]);
  for (u32 i = 0; i < 32; ++i) {
    const u32 wanted = next(state);
    u32 low = 0, high = 64;
    while (low < high) {
      const u32 middle = (low + high) / 2;
      if ((u32)values[middle] >= wanted)
        high = middle;
      else
        low = middle + 1;
    }
    put(out, low);
  }
}

__attribute__((section(".text.start"))) void start(void) {
  u32 position = 0, state = SEED;
  for (u32 i = 0; i < 10; ++i)
    for (u32 j = 0; j < 10; ++j) {
      const u32 a = i < 3 ? i : i < 6 ? 0x7ffffffeu + (i - 3) : 0xfffffffcu + (i - 6);
      const u32 b = j < 3 ? j : j < 6 ? 0x7ffffffeu + (j - 3) : 0xfffffffcu + (j - 6);
      arithmetic(&position, a, b);
    }
  for (u32 i = 0; i < 100; ++i) {
    const u32 a = next(&state), b = next(&state) >> (next(&state) & 31);
    arithmetic(&position, a, b);
  }
  memory(&position, &state);
  branches(&position, &state);
#ifdef USER_MODE
  __asm__ volatile("li a7, 93\nli a0, 0\necall");
#else
  __asm__ volatile("wfi");
#endif
  __builtin_unreachable();
}
