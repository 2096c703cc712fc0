#include <unistd.h>

#include <csignal>

#include "probe.h"

void probe(const int*, int*, int) { kill(getpid(), SIGKILL); }
