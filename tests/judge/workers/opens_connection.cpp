#include "probe.h"

#include <sys/socket.h>

void probe(const int*, int*, int) { socket(AF_INET, SOCK_STREAM, 0); }
