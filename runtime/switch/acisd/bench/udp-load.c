/* Load for a UDP server that answers: keeps `window` packets on their way for `seconds`, from
 * `flows` sockets in turn, and prints what came back per second, and what was lost (no answer in
 * time). With `segments` a burst is handed to the system in one piece (UDP_SEGMENT), which
 * leaves the load's core more time; the packets are the same.
 * usage: udp-load HOST PORT BYTES SECONDS [WINDOW [FLOWS [segments]]] */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/udp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum { BATCH = 32, BYTES = 65536, MOST = 256 };

static uint8_t out[BYTES], in[BATCH][64];
static struct mmsghdr sends[BATCH], receives[BATCH];

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static int open_flow(const struct sockaddr_in *to, unsigned bytes, int segments) {
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0), size = 16 << 20, length = bytes;
  setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size);
  setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size);
  if ((segments && setsockopt(fd, SOL_UDP, UDP_SEGMENT, &length, sizeof length) != 0) ||
      connect(fd, (const struct sockaddr *)to, sizeof *to) != 0) {
    perror("udp-load");
    exit(1);
  }
  return fd;
}

/* A burst; how many packets it was. */
static int burst(int fd, unsigned bytes, int segments) {
  if (!segments) {
    int count = sendmmsg(fd, sends, BATCH, 0);
    return count > 0 ? count : 0;
  }
  ssize_t sent = send(fd, out, (size_t)BATCH * bytes, 0);
  return sent > 0 ? (int)(sent / bytes) : 0;
}

int main(int argc, char **argv) {
  unsigned bytes = argc > 3 ? atoi(argv[3]) : 0, window = argc > 5 ? atoi(argv[5]) : 256;
  int flows = argc > 6 ? atoi(argv[6]) : 1, segments = argc > 7;
  if (argc < 5 || bytes < 1 || bytes * BATCH > BYTES - 29 || flows < 1 || flows > MOST) {
    fprintf(stderr, "usage: udp-load HOST PORT BYTES SECONDS [WINDOW [FLOWS [segments]]]\n");
    return 1;
  }
  double seconds = atof(argv[4]);
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[2]))};
  if (inet_pton(AF_INET, argv[1], &to.sin_addr) != 1) {
    perror("udp-load");
    return 1;
  }
  struct pollfd fds[MOST];
  for (int i = 0; i < flows; i++)
    fds[i] = (struct pollfd){open_flow(&to, bytes, segments), POLLIN, 0};
  static struct iovec outVector, inVectors[BATCH];
  outVector = (struct iovec){out, bytes};
  for (unsigned i = 0; i < sizeof out; i++)
    out[i] = (uint8_t)(i % bytes * 7);
  for (int i = 0; i < BATCH; i++) {
    inVectors[i] = (struct iovec){in[i], sizeof in[i]};
    sends[i].msg_hdr = (struct msghdr){.msg_iov = &outVector, .msg_iovlen = 1};
    receives[i].msg_hdr = (struct msghdr){.msg_iov = &inVectors[i], .msg_iovlen = 1};
  }
  uint64_t sent = 0, received = 0, lost = 0;
  double start = now(), last = start, end = start + seconds;
  for (int turn = 0; now() < end;) {
    while (sent - received - lost + BATCH <= window) {
      int count = burst(fds[turn].fd, bytes, segments);
      turn = (turn + 1) % flows;
      if (count == 0)
        break;
      sent += count;
    }
    int ready = poll(fds, flows, 10), any = 0;
    for (int i = 0; i < flows && ready > 0; i++) {
      int count = fds[i].revents ? recvmmsg(fds[i].fd, receives, BATCH, MSG_DONTWAIT, NULL) : 0;
      if (count > 0) {
        received += count;
        any = 1;
      }
    }
    if (any)
      last = now();
    else if (now() - last > 0.2) { /* nothing for long: what is missing will not come */
      lost = sent - received;
      last = now();
    }
  }
  double time = now() - start;
  printf("%.0f %.6f\n", received / time, sent ? (double)lost / sent : 0.0);
  return 0;
}
