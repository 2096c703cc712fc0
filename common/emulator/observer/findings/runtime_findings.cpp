#include "emulator/observer/findings/runtime_findings.h"

#include <string>
#include <utility>

#include "cuda_runtime_api.h"
#include "emulator/runtime/callers.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/execution/builtin_variables.h"

namespace tilelab::emulator {

using report::FindingKind;

void RuntimeFindings::add_to(report::Report&) {
  is_observing_ = false;
  const UncheckedError& unchecked = unchecked_error();
  if (unchecked.error == cudaSuccess) {
    for (report::Finding& one : freed_twice_) findings_.add(std::move(one));
    return;
  }
  // This may be the error of such a call.
  std::string sentence =
      std::string(cudaGetErrorName(unchecked.error)) + ", " + cudaGetErrorString(unchecked.error);
  if (!unchecked.explanation.empty()) sentence += ": " + unchecked.explanation;
  findings_.add_unchecked_error(unchecked.site, sentence, unchecked.callers);
}

void RuntimeFindings::memory_freed_twice(const void* memory) {
  if (is_observing_) freed_twice_.push_back(findings_.freed_twice(memory, innermost_callers()));
}

void RuntimeFindings::launch_refused(const KernelCall& kernel,
                                     const LaunchConfiguration& configuration, cudaError_t error) {
  const std::string explanation = fault_message();
  findings_.add_refused_launch(kernel, configuration.site,
                               std::string(cudaGetErrorName(error)) + ". " +
                                   (explanation.empty() ? cudaGetErrorString(error) : explanation));
}

void RuntimeFindings::barrier_skipped(Site site, unsigned threads, unsigned block_threads) {
  report::MemoryPlace counts;
  counts.index = threads;
  counts.bytes = block_threads;
  // The sentence makes it one finding per barrier.
  findings_.add(FindingKind::skipped_barrier, counts, {side_at(site, blockIdx)},
                std::to_string(site.line));
}

void RuntimeFindings::barrier_misused(Site site, const char* sentence) {
  findings_.add(FindingKind::fault, {}, {side_at(site, blockIdx, threadIdx)},
                std::string("a thread ") + sentence);
}

void RuntimeFindings::shuffle_is_undefined(Site site, uint3 thread, unsigned lane, unsigned mask) {
  report::MemoryPlace source;
  source.name = "lane " + std::to_string(lane) +
                ((mask >> lane & 1) == 0 ? ", which is not in the shuffle's mask"
                                         : ", which has exited or does not exist");
  // The sentence makes it one finding per shuffle.
  findings_.add(FindingKind::undefined_shuffle, source, {side_at(site, blockIdx, thread)},
                std::to_string(site.line));
}

void RuntimeFindings::branch_mask_used(Site site, uint3 thread, const char* function) {
  report::MemoryPlace called;
  called.name = function;
  // The sentence makes it one finding per call.
  findings_.add(FindingKind::branch_mask, called, {side_at(site, blockIdx, thread)},
                std::to_string(site.line));
}

void RuntimeFindings::barrier_diverges(Site site, uint3 thread, Site other, uint3 other_thread) {
  findings_.add(FindingKind::divergent_barrier, {},
                {side_at(site, blockIdx, thread), side_at(other, blockIdx, other_thread)});
}

void RuntimeFindings::threads_deadlock() { findings_.expect_fault(FindingKind::deadlock); }

}  // namespace tilelab::emulator
