#include "emulator/observer/findings/runtime_findings.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "cuda_runtime_api.h"
#include "emulator/runtime/callers.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/memory/device_memory.h"

namespace tilelab::emulator {

using report::FindingKind;

namespace {

bool is_among(const std::vector<Site>& sites, Site site) {
  return std::ranges::any_of(sites, [&](const Site& one) {
    return one.line == site.line && std::strcmp(one.file, site.file) == 0;
  });
}

}  // namespace

void RuntimeFindings::add_to(report::Report&) {
  is_observing_ = false;
  bool is_of_freed = false;  // such an error may be that of a call which frees twice
  for (const UncheckedError& one : unchecked_errors()) {
    if (is_among(refused_, one.site)) continue;  // the launch is a finding
    std::string sentence =
        std::string(cudaGetErrorName(one.error)) + ", " + cudaGetErrorString(one.error);
    if (!one.explanation.empty()) sentence += ": " + one.explanation;
    findings_.add_unchecked_error(one.site, sentence, one.callers);
    is_of_freed |= !one.callers.empty();
  }
  if (is_of_freed) return;
  for (report::Finding& one : freed_twice_) findings_.add(std::move(one));
}

void RuntimeFindings::memory_freed_twice(const void* memory) {
  if (!is_observing_) return;
  const std::vector<std::uint64_t>& first = *DeviceMemory::instance().freed_by(memory);
  freed_twice_.push_back(findings_.freed_twice(memory, innermost_callers(), first));
}

void RuntimeFindings::launch_refused(const KernelCall& kernel,
                                     const LaunchConfiguration& configuration, cudaError_t error) {
  if (!is_among(refused_, configuration.site)) refused_.push_back(configuration.site);
  const std::string explanation = fault_message();
  findings_.add_refused_launch(
      kernel, configuration.site,
      std::string(cudaGetErrorName(error)) + (explanation.empty()
                                                  ? std::string(", ") + cudaGetErrorString(error)
                                                  : ". " + explanation));
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
