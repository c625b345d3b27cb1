/* <netinet/in.h>: the order of bytes, as <arpa/inet.h>. */
#include <arpa/inet.h>
