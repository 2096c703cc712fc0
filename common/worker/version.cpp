#include "worker/version.h"

namespace {
unsigned current = 0;
}

unsigned tilelab_version() { return current; }

void tilelab::worker::set_version(unsigned version) { current = version; }
