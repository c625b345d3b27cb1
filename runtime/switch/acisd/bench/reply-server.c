/* What acisd is measured against: a UDP server in plain C that answers each packet with the
 * sum of its 32-bit words, with recvmmsg and sendmmsg, in threads with a socket each
 * (SO_REUSEPORT). Port 0: any; it says which.
 * usage: reply-server PORT [THREADS] */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { BATCH = 32, BYTES = 2048, MOST = 64 };

struct buffers {
  uint8_t in[BATCH][BYTES];
  uint32_t out[BATCH];
  struct mmsghdr got[BATCH], answers[BATCH];
  struct iovec inVectors[BATCH], outVectors[BATCH];
  struct sockaddr_in from[BATCH];
};

static void *serve(void *argument) {
  int fd = *(int *)argument;
  struct buffers *b = calloc(1, sizeof *b);
  for (int i = 0; i < BATCH; i++) {
    b->inVectors[i] = (struct iovec){b->in[i], BYTES};
    b->outVectors[i] = (struct iovec){&b->out[i], 4};
    b->got[i].msg_hdr = (struct msghdr){
        .msg_name = &b->from[i], .msg_iov = &b->inVectors[i], .msg_iovlen = 1};
    b->answers[i].msg_hdr = (struct msghdr){.msg_name = &b->from[i],
                                            .msg_namelen = sizeof b->from[i],
                                            .msg_iov = &b->outVectors[i],
                                            .msg_iovlen = 1};
  }
  for (;;) {
    for (int i = 0; i < BATCH; i++)
      b->got[i].msg_hdr.msg_namelen = sizeof b->from[i];
    int count = recvmmsg(fd, b->got, BATCH, MSG_WAITFORONE, NULL);
    for (int i = 0; i < count; i++) {
      uint32_t sum = 0, word;
      for (unsigned at = 0; at + 4 <= b->got[i].msg_len; at += 4) {
        memcpy(&word, b->in[i] + at, 4);
        sum += word;
      }
      b->out[i] = sum;
    }
    for (int done = 0; done < count;) {
      int sent = sendmmsg(fd, b->answers + done, count - done, 0);
      done += sent > 0 ? sent : 1;
    }
  }
  return NULL;
}

int main(int argc, char **argv) {
  int fds[MOST], threads = argc > 2 ? atoi(argv[2]) : 1, size = 16 << 20, on = 1;
  if (threads < 1 || threads > MOST) {
    fprintf(stderr, "usage: reply-server PORT [THREADS], 1 to %d\n", MOST);
    return 1;
  }
  struct sockaddr_in local = {.sin_family = AF_INET, .sin_port = htons(argc > 1 ? atoi(argv[1]) : 0)};
  local.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof local;
  for (int i = 0; i < threads; i++) {
    fds[i] = socket(AF_INET, SOCK_DGRAM, 0);
    setsockopt(fds[i], SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size);
    setsockopt(fds[i], SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size);
    if (threads > 1)
      setsockopt(fds[i], SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
    if (bind(fds[i], (struct sockaddr *)&local, sizeof local) != 0) {
      perror("reply-server");
      return 1;
    }
    getsockname(fds[i], (struct sockaddr *)&local, &length);
  }
  printf("reply-server: at 127.0.0.1:%u\n", ntohs(local.sin_port));
  fflush(stdout);
  for (int i = 1; i < threads; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, serve, &fds[i]) != 0)
      return 1;
  }
  serve(&fds[0]);
}
