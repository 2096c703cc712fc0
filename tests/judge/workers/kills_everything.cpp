#include "probe.h"

#include <csignal>

void probe(const int*, int*, int) { kill(-1, SIGKILL); }
