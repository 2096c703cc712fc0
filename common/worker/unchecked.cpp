// The reporting half of a worker that reports nothing: on a GPU, and in the fast build.

#include "worker/backend.h"

namespace tilelab::worker {

void start_observing(Detail) {}

void name_array(const void*, const char*, std::size_t, std::size_t) {}

std::vector<std::byte> take_report() { return {}; }

}  // namespace tilelab::worker
