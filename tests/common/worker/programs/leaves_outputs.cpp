#include "probe.h"

void probe(const int*, int*, int) {}
