#include "probe.h"

void probe(const int*, int*, int) { throw 5; }
