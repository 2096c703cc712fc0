#include <cstdlib>

#include "probe.h"

void probe(const int*, int*, int) { std::abort(); }
