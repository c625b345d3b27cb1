// Runs `trapping` in the user mode of a simulator and writes where it trapped, as an offset into it.
typedef unsigned u32;
extern char trapping[];

static long call(long number, long first, long second, long third, long fourth) {
  register long a7 __asm__("a7") = number, a0 __asm__("a0") = first, a1 __asm__("a1") = second,
                a2 __asm__("a2") = third, a3 __asm__("a3") = fourth;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2), "r"(a3) : "memory");
  return a0;
}
enum { Write = 64, Exit = 93, SigAction = 134, WithContext = 4 };

static void trapped(int signal, const void *info, const u32 *context) {
  u32 at = context[160 / 4] - (u32)trapping; // ucontext_t: the program counter is the first register
  char text[24] = "trap at ", *end = text + sizeof text, *digit = end;
  *--digit = '\n';
  do
    *--digit = (char)('0' + at % 10);
  while (at /= 10);
  call(Write, 1, (long)text, 8, 0);
  call(Write, 1, (long)digit, end - digit, 0);
  call(Exit, 0, 0, 0, 0);
}

void start(void) {
  struct {
    void *handler;
    u32 flags, mask[2];
  } action = {(void *)trapped, WithContext, {0, 0}};
  static const int signals[] = {4, 5, 7, 11}; // ILL, TRAP, BUS, SEGV
  for (int i = 0; i < 4; ++i)
    call(SigAction, signals[i], (long)&action, 0, 8);
  __asm__ volatile("j trapping");
}
