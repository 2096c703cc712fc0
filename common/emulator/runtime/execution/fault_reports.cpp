// The sentences about what kernels do wrong.

#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "emulator/runtime/blocks/block_state.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/execution/scheduler.h"
#include "emulator/runtime/execution/site_text.h"
#include "emulator/runtime/listener.h"

namespace tilelab::emulator {
namespace {

/// A string of bounded length that is built piece by piece, without allocating.
class Text {
 public:
  [[gnu::format(printf, 2, 3)]] void add(const char* format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text_ + length_, sizeof text_ - length_, format, arguments);
    va_end(arguments);
    length_ = std::strlen(text_);
  }
  const char* c_str() const { return text_; }

 private:
  char text_[1024] = "";
  std::size_t length_ = 0;
};

}  // namespace

const char* Scheduler::describe_running_block() const {
  static char text[256];
  std::snprintf(text, sizeof text, "kernel %.150s, block (%u,%u,%u)", kernel_->name, blockIdx.x,
                blockIdx.y, blockIdx.z);
  return text;
}

const char* Scheduler::describe_running_thread() const {
  static char text[320];
  std::snprintf(text, sizeof text, "%s, thread (%u,%u,%u)", describe_running_block(), threadIdx.x,
                threadIdx.y, threadIdx.z);
  return text;
}

void Scheduler::fault(cudaError_t error, const char* sentence) {
  set_fault(error, "%s: %s", describe_running_thread(), sentence);
  leave_launch();
}

void Scheduler::report_divergent_barrier(Site site) {
  const int other = at_barrier_.next_after(current_);
  const uint3& index = threads_[static_cast<unsigned>(other)].index;
  tell(&Listener::barrier_diverges, site, threadIdx, barrier_.site, index);
  Text text;
  text.add(
      "divergent barrier: it waits at __syncthreads() in %s:%u, but thread (%u,%u,%u) waits at a "
      "different one in %s:%u; all threads of a block must reach the same __syncthreads()",
      file_name(site), site.line, index.x, index.y, index.z, file_name(barrier_.site),
      barrier_.site.line);
  if (site.line == barrier_.site.line) {
    text.add(" (columns %u and %u)", site.column, barrier_.site.column);
  }
  fault(cudaErrorLaunchFailure, text.c_str());
}

/// Threads that wait for the same thing are described together, by the first of them.
const char* Scheduler::describe_waits() const {
  constexpr int most_groups = 4;
  static Text text;
  text = {};
  int groups = 0;
  std::array<bool, device_limits::threads_per_block> told{};
  // A thread whose log is full waits for no other one.
  const auto waits = [](const Thread& thread) {
    return thread.waits_for != WaitsFor::nothing && thread.waits_for != WaitsFor::listener;
  };
  for (unsigned rank = 0; rank < thread_count_ && groups < most_groups; ++rank) {
    const Thread& first = threads_[position_of_[rank]];
    if (!waits(first) || told[rank]) continue;
    const auto same = [&](const Thread& other) {
      return other.waits_for == first.waits_for && site_of(other) == site_of(first) &&
             (first.waits_for != WaitsFor::warp ||
              other.wait->request->mask == first.wait->request->mask);
    };
    unsigned count = 0;
    for (unsigned other = rank; other < thread_count_; ++other) {
      const Thread& thread = threads_[position_of_[other]];
      if (!waits(thread) || told[other] || !same(thread)) continue;
      told[other] = true;
      ++count;
    }
    text.add("%s %u thread%s (first: (%u,%u,%u)) wait%s at ", groups > 0 ? ";" : "", count,
             count == 1 ? "" : "s", first.index.x, first.index.y, first.index.z,
             count == 1 ? "s" : "");
    if (first.waits_for == WaitsFor::barrier) {
      text.add("__syncthreads()");
    } else if (first.waits_for != WaitsFor::warp) {
      text.add("%s", first.wait->what);
    } else {
      text.add("%s with mask 0x%08x", name_of(first.wait->request->operation),
               first.wait->request->mask);
    }
    text.add(" in %s:%u", file_name(site_of(first)), site_of(first).line);
    ++groups;
  }
  return text.c_str();
}

void Scheduler::report_deadlock() {
  tell(&Listener::threads_deadlock);
  if (block_state != nullptr) block_state->describe_waits();
  // The thread that happened to run last is not to blame, so the sentence does not name it.
  set_fault(cudaErrorLaunchFailure, "%s: deadlock, no thread can continue:%s",
            describe_running_block(), describe_waits());
  leave_launch();
}

}  // namespace tilelab::emulator
