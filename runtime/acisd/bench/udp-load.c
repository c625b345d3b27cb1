/* Load for a UDP server that answers: keeps `window` packets on their way for `seconds` and
 * prints what came back per second, and what was lost (no answer in time).
 * usage: udp-load HOST PORT BYTES SECONDS [WINDOW] */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum { BATCH = 32, BYTES = 65536 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
  if (argc < 5) {
    fprintf(stderr, "usage: udp-load HOST PORT BYTES SECONDS [WINDOW]\n");
    return 1;
  }
  unsigned bytes = atoi(argv[3]), window = argc > 5 ? atoi(argv[5]) : 256;
  double seconds = atof(argv[4]);
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0), size = 16 << 20;
  setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size);
  setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size);
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[2]))};
  if (inet_pton(AF_INET, argv[1], &to.sin_addr) != 1 ||
      connect(fd, (struct sockaddr *)&to, sizeof to) != 0) {
    perror("udp-load");
    return 1;
  }
  static uint8_t out[BYTES], in[BATCH][64];
  struct mmsghdr sends[BATCH] = {0}, receives[BATCH] = {0};
  struct iovec outVector = {out, bytes}, inVectors[BATCH];
  for (unsigned i = 0; i < bytes; i++)
    out[i] = (uint8_t)(i * 7);
  for (int i = 0; i < BATCH; i++) {
    inVectors[i] = (struct iovec){in[i], sizeof in[i]};
    sends[i].msg_hdr = (struct msghdr){.msg_iov = &outVector, .msg_iovlen = 1};
    receives[i].msg_hdr = (struct msghdr){.msg_iov = &inVectors[i], .msg_iovlen = 1};
  }
  uint64_t sent = 0, received = 0, lost = 0;
  double start = now(), last = start, end = start + seconds;
  while (now() < end) {
    while (sent - received - lost + BATCH <= window) {
      int count = sendmmsg(fd, sends, BATCH, 0);
      if (count <= 0)
        break;
      sent += count;
    }
    int count = recvmmsg(fd, receives, BATCH, MSG_DONTWAIT, NULL);
    if (count > 0) {
      received += count;
      last = now();
    } else {
      struct pollfd item = {fd, POLLIN, 0};
      poll(&item, 1, 10);
      if (now() - last > 0.2) { /* nothing for long: what is missing will not come */
        lost = sent - received;
        last = now();
      }
    }
  }
  double time = now() - start;
  printf("%.0f %.6f\n", received / time, sent ? (double)lost / sent : 0.0);
  return 0;
}
