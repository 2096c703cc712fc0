#include "probe.h"

#include <cstdlib>

void probe(const int*, int*, int) { static_cast<void>(std::system("sleep 60")); }
