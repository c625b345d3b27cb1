/* What acisd is measured against: a UDP server in plain C that answers each packet with the
 * sum of its 32-bit words, with recvmmsg and sendmmsg. Port 0: any; it says which.
 * usage: reply-server PORT */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { BATCH = 32, BYTES = 2048 };

int main(int argc, char **argv) {
  static uint8_t in[BATCH][BYTES];
  static uint32_t out[BATCH];
  static struct mmsghdr got[BATCH], answers[BATCH];
  static struct iovec inVectors[BATCH], outVectors[BATCH];
  static struct sockaddr_in from[BATCH];
  int fd = socket(AF_INET, SOCK_DGRAM, 0), size = 16 << 20;
  setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size);
  setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size);
  struct sockaddr_in local = {.sin_family = AF_INET, .sin_port = htons(argc > 1 ? atoi(argv[1]) : 0)};
  local.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(fd, (struct sockaddr *)&local, sizeof local) != 0) {
    perror("reply-server");
    return 1;
  }
  socklen_t length = sizeof local;
  getsockname(fd, (struct sockaddr *)&local, &length);
  printf("reply-server: at 127.0.0.1:%u\n", ntohs(local.sin_port));
  fflush(stdout);
  for (int i = 0; i < BATCH; i++) {
    inVectors[i] = (struct iovec){in[i], BYTES};
    outVectors[i] = (struct iovec){&out[i], 4};
    got[i].msg_hdr = (struct msghdr){.msg_name = &from[i], .msg_iov = &inVectors[i], .msg_iovlen = 1};
    answers[i].msg_hdr = (struct msghdr){.msg_name = &from[i], .msg_namelen = sizeof from[i],
                                         .msg_iov = &outVectors[i], .msg_iovlen = 1};
  }
  for (;;) {
    for (int i = 0; i < BATCH; i++)
      got[i].msg_hdr.msg_namelen = sizeof from[i];
    int count = recvmmsg(fd, got, BATCH, MSG_WAITFORONE, NULL);
    for (int i = 0; i < count; i++) {
      uint32_t sum = 0, word;
      for (unsigned at = 0; at + 4 <= got[i].msg_len; at += 4) {
        memcpy(&word, in[i] + at, 4);
        sum += word;
      }
      out[i] = sum;
    }
    for (int done = 0; done < count;) {
      int sent = sendmmsg(fd, answers + done, count - done, 0);
      done += sent > 0 ? sent : 1;
    }
  }
}
