#include <sys/socket.h>

#include "probe.h"

void probe(const int*, int*, int) { socket(AF_INET, SOCK_STREAM, 0); }
