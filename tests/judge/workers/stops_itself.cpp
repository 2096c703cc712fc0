#include "probe.h"

#include <csignal>
#include <unistd.h>

void probe(const int*, int*, int) { kill(getpid(), SIGSTOP); }
