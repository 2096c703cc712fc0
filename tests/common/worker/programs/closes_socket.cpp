#include <unistd.h>

#include "contract/wire.h"
#include "probe.h"

void probe(const int*, int*, int) {
  close(tilelab::wire::worker_socket);
  pause();
}
