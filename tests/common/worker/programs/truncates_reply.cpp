#include <sys/socket.h>

#include "contract/wire.h"
#include "probe.h"

void probe(const int*, int*, int) { send(tilelab::wire::worker_socket, "ok", 2, 0); }
