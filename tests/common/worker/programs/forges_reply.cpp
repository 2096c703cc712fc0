#include <sys/socket.h>

#include "contract/wire.h"
#include "probe.h"

void probe(const int*, int*, int) {
  const tilelab::wire::Reply reply;
  send(tilelab::wire::worker_socket, &reply, sizeof reply, 0);
}
