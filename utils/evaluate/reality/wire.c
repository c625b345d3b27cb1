// Links between network namespaces, each a wire of its own: a frame occupies a direction for its
// bits at the link's rate, behind those that came before it, and arrives a delay after its last
// bit. (tc's tbf and htb let the first packet of a burst pass at once; netem, which does not, is
// missing in many kernels.)
//
// usage: wire BITS_PER_SECOND DELAY_NS (NAMESPACE DEVICE NAMESPACE DEVICE)...
//
// makes a TAP device in each namespace (a file), so that the kernel hands whole frames with their
// checksums to it, prints "ready", and carries frames until it is ended.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { MostEnds = 64, MostFrame = 65536 };

struct Frame {
  struct Frame *next;
  long arrives; // nanoseconds
  size_t bytes;
  unsigned char data[];
};

// A TAP device, and the frames on their way to it.
struct End {
  int file;
  long freeAt; // when the direction to this end has its last bit on the wire
  struct Frame *first, **last;
};

static struct End ends[MostEnds];
static struct pollfd files[MostEnds];
static int count;
static double nsPerByte;
static long delay;

static void fail(const char *what, const char *which) {
  fprintf(stderr, "wire: error: %s %s: %s\n", what, which, strerror(errno));
  exit(1);
}

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000L + time.tv_nsec;
}

static void open_end(const char *space, const char *device) {
  const int there = open(space, O_RDONLY);
  if (there < 0 || setns(there, CLONE_NEWNET) != 0)
    fail("cannot enter namespace", space);
  close(there);
  struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
  strncpy(request.ifr_name, device, IFNAMSIZ - 1);
  const int file = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
  if (file < 0 || ioctl(file, TUNSETIFF, &request) != 0)
    fail("cannot make device", device);
  ends[count] = (struct End){.file = file, .last = &ends[count].first};
  files[count] = (struct pollfd){.fd = file, .events = POLLIN};
  ++count;
}

static void take(struct End *from, struct End *to) {
  static unsigned char buffer[MostFrame];
  ssize_t bytes;
  while ((bytes = read(from->file, buffer, sizeof buffer)) > 0) {
    struct Frame *frame = malloc(sizeof *frame + (size_t)bytes);
    if (!frame)
      fail("cannot keep", "a frame");
    const long time = now(), begins = to->freeAt > time ? to->freeAt : time;
    to->freeAt = begins + (long)((double)bytes * nsPerByte);
    *frame = (struct Frame){.arrives = to->freeAt + delay, .bytes = (size_t)bytes};
    memcpy(frame->data, buffer, (size_t)bytes);
    *to->last = frame;
    to->last = &frame->next;
  }
}

static void give(struct End *to) {
  while (to->first && to->first->arrives <= now()) {
    struct Frame *frame = to->first;
    if (write(to->file, frame->data, frame->bytes) < 0 && errno == EAGAIN)
      return;
    if (!(to->first = frame->next))
      to->last = &to->first;
    free(frame);
  }
}

static void await(void) {
  long next = now() + 1000000000L;
  for (int e = 0; e < count; ++e)
    if (ends[e].first && ends[e].first->arrives < next)
      next = ends[e].first->arrives;
  const long time = now(), left = next > time ? next - time : 0;
  const struct timespec most = {left / 1000000000L, left % 1000000000L};
  if (ppoll(files, (nfds_t)count, &most, NULL) < 0 && errno != EINTR)
    fail("cannot wait for", "frames");
}

int main(int argc, char **argv) {
  if (argc < 7 || (argc - 3) % 4 || (argc - 3) / 2 > MostEnds || atof(argv[1]) <= 0) {
    fprintf(stderr,
            "usage: wire BITS_PER_SECOND DELAY_NS (NAMESPACE DEVICE NAMESPACE DEVICE)...\n");
    return 1;
  }
  nsPerByte = 8e9 / atof(argv[1]);
  delay = atol(argv[2]);
  for (int a = 3; a < argc; a += 2)
    open_end(argv[a], argv[a + 1]);
  // Times are the wire's, not those of the machine's other work.
  const struct sched_param priority = {.sched_priority = 10};
  if (sched_setscheduler(0, SCHED_FIFO, &priority) != 0)
    fprintf(stderr, "wire: note: without real-time priority: %s\n", strerror(errno));
  printf("ready\n");
  fflush(stdout);
  for (;;) {
    await();
    for (int e = 0; e < count; ++e)
      if (files[e].revents)
        take(&ends[e], &ends[e ^ 1]);
    for (int e = 0; e < count; ++e)
      give(&ends[e]);
  }
}
