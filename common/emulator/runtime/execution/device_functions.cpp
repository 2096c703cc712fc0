// The functions that kernels call. If host code calls one, which nvcc would not compile, it ends
// the process with a sentence.

#include <chrono>
#include <cstdio>
#include <cstring>

#include "emulated/barriers.h"
#include "emulated/clock_functions.h"
#include "emulated/groups/thread_block_tile.h"
#include "emulated/warp_functions.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/execution/scheduler.h"

namespace tilelab::emulator {
namespace {

Scheduler& running_scheduler(const char* what) {
  Scheduler* scheduler = Scheduler::running();
  if (scheduler == nullptr) fatal("host code calls %s, which only kernels can call", what);
  return *scheduler;
}

}  // namespace

BarrierResult vote_at_barrier(bool predicate, Site site) {
  return running_scheduler("__syncthreads()").vote_at_barrier(predicate, site);
}

std::uint64_t warp_collective(const WarpRequest& request, Site site) {
  return running_scheduler("a warp function").warp_collective(request, site);
}

unsigned branch_mask(Site site) { return running_scheduler("__activemask()").branch_mask(site); }

void wait_at_tile_barrier(unsigned first, unsigned threads, unsigned long long value, Site site) {
  running_scheduler("a function of a tile").wait_at_tile_barrier(first, threads, value, site);
}

unsigned long long value_at_tile_barrier(unsigned rank) {
  return running_scheduler("a function of a tile").value_at_tile_barrier(rank);
}

void wait_at_grid_barrier(Site site) {
  running_scheduler("the grid's sync()").wait_at_grid_barrier(site);
}

bool is_cooperative_launch() { return running_scheduler("this_grid()").is_cooperative(); }

void trap(const char* sentence) {
  running_scheduler("__trap()").fault(cudaErrorLaunchFailure, sentence);
}

long long device_clock() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

}  // namespace tilelab::emulator

/// assert() calls this. The C library's version would end the process.
extern "C" void __assert_fail(const char* assertion, const char* file, unsigned line,
                              const char* function) noexcept {
  using namespace tilelab::emulator;
  const char* slash = std::strrchr(file, '/');
  const char* name = slash != nullptr ? slash + 1 : file;
  char sentence[512];
  std::snprintf(sentence, sizeof sentence, "assertion `%s' failed in %s, %s:%u", assertion,
                function, name, line);
  Scheduler* scheduler = Scheduler::running();
  if (scheduler == nullptr) fatal("%s", sentence);
  scheduler->fault(cudaErrorAssert, sentence);
}
