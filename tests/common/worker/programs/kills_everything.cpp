#include <csignal>

#include "probe.h"

void probe(const int*, int*, int) { kill(-1, SIGKILL); }
