#include "emulator/observer/findings/finding_log.h"

#include <algorithm>
#include <string>
#include <utility>

#include "cuda_runtime_api.h"
#include "emulator/observer/events/code_address.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/execution/scheduler.h"

namespace tilelab::emulator {

using report::Accessor;
using report::Finding;
using report::FindingKind;

namespace {

Accessor accessor(const FindingLog::Party& party) {
  return {{link_time_address(place_of(party.code)), "", 0},
          kind_of(party.code),
          party.block,
          Scheduler::instance().thread_index(party.thread)};
}

Finding of_kind(FindingKind kind) {
  Finding finding{};
  finding.kind = kind;
  return finding;
}

}  // namespace

void FindingLog::add(Finding finding) {
  Findings& findings = kernel_ != nullptr ? inside_ : outside_;
  findings.add(std::move(finding));
}

Finding FindingLog::in_kernel(FindingKind kind) const {
  Finding finding = of_kind(kind);
  if (kernel_ != nullptr) finding.kernel = kernel_->name;
  return finding;
}

std::vector<Finding> FindingLog::launch_ends() {
  if (sticky_error() != cudaSuccess && !is_explained_) {
    Finding finding = in_kernel(fault_kind_);
    finding.sentence = fault_message();
    add(std::move(finding));
  }
  kernel_ = nullptr;
  is_explained_ = false;
  fault_kind_ = FindingKind::fault;
  return inside_.take();
}

void FindingLog::add_race(FindingKind kind, std::uint32_t address, unsigned bytes,
                          const Party& first, const Party& second, const char* explanation) {
  Finding finding = in_kernel(kind);
  finding.memory = names_.place_at(address, bytes);
  finding.has_first = finding.has_second = true;
  finding.first = accessor(first);
  finding.second = accessor(second);
  finding.sentence = explanation;
  add(std::move(finding));
}

void FindingLog::add_stream_race(std::uint32_t address, unsigned bytes, const StreamParty& first,
                                 const StreamParty& second) {
  Finding finding = in_kernel(FindingKind::stream_race);
  finding.memory = names_.place_at(address, bytes);
  for (const StreamParty* party : {&first, &second}) {
    if (party->call != nullptr) {
      if (!finding.sentence.empty()) finding.sentence += "it, and ";
      finding.sentence += std::string(party->call) + (party->writes ? "() writes " : "() reads ");
      continue;
    }
    const Accessor side{{link_time_address(place_of(party->code)), "", 0},
                        kind_of(party->code),
                        party->block,
                        party->thread};
    (finding.has_first ? finding.second : finding.first) = side;
    (finding.has_first ? finding.has_second : finding.has_first) = true;
  }
  add(std::move(finding));
}

void FindingLog::add_foreign_access(std::uint32_t address, unsigned bytes, const Party& party,
                                    const char* explanation) {
  Finding finding = in_kernel(FindingKind::absent_block);
  finding.memory = names_.place_at(address, bytes);
  finding.has_first = true;
  finding.first = accessor(party);
  finding.sentence = explanation;
  add(std::move(finding));
}

void FindingLog::add_uninitialized_read(std::uint32_t address, unsigned bytes, const Party& reader,
                                        unsigned lanes) {
  Finding finding = in_kernel(FindingKind::uninitialized_read);
  finding.memory = names_.place_at(address, bytes);
  finding.has_first = true;
  finding.first = accessor(reader);
  finding.count = lanes;
  add(std::move(finding));
}

void FindingLog::add_access(FindingKind kind, report::MemoryPlace memory, Code code) {
  Finding finding = in_kernel(kind);
  finding.memory = std::move(memory);
  finding.has_first = true;
  finding.first.place.code = link_time_address(place_of(code));
  finding.first.kind = kind_of(code);
  if (kernel_ != nullptr) {
    finding.first.block = blockIdx;
    finding.first.thread = threadIdx;
    is_explained_ = true;
    // The access that a wrong index led to says more.
    inside_.withdraw_index(blockIdx, threadIdx);
  }
  add(std::move(finding));
}

void FindingLog::add_index(Code code, const std::string& type, std::int64_t index,
                           std::uint64_t extent) {
  Finding finding = in_kernel(FindingKind::index_out_of_bounds);
  finding.has_first = true;
  finding.first = {{link_time_address(place_of(code)), "", 0}, kind_of(code), blockIdx, threadIdx};
  finding.memory.name = type;
  finding.memory.index = index;
  finding.memory.size = extent;
  add(std::move(finding));
}

void FindingLog::add_refused_launch(const KernelCall& kernel, Site site, cudaError_t error) {
  Finding finding = of_kind(FindingKind::failed_launch);
  finding.kernel = kernel.name;
  finding.has_first = true;
  finding.first.place = {0, site.file, site.line};
  const std::string explanation = fault_message();
  finding.sentence = std::string(cudaGetErrorName(error)) + ". " +
                     (explanation.empty() ? cudaGetErrorString(error) : explanation);
  add(std::move(finding));
}

void FindingLog::add_divergent_barrier(Site site, uint3 thread, Site other_site,
                                       uint3 other_thread) {
  Finding finding = in_kernel(FindingKind::divergent_barrier);
  finding.has_first = finding.has_second = true;
  finding.first = {{0, site.file, site.line}, AccessKind::load, blockIdx, thread};
  finding.second = {
      {0, other_site.file, other_site.line}, AccessKind::load, blockIdx, other_thread};
  add(std::move(finding));
  is_explained_ = true;
}

void FindingLog::add_skipped_barrier(Site site, unsigned threads, unsigned block_threads) {
  Finding finding = in_kernel(FindingKind::skipped_barrier);
  finding.has_first = true;
  finding.first = {{0, site.file, site.line}, AccessKind::load, blockIdx, {}};
  finding.memory.index = threads;
  finding.memory.bytes = block_threads;
  finding.sentence = std::to_string(site.line);  // one finding per barrier
  add(std::move(finding));
}

void FindingLog::add_undefined_shuffle(Site site, uint3 thread, unsigned lane, unsigned mask) {
  Finding finding = in_kernel(FindingKind::undefined_shuffle);
  finding.has_first = true;
  finding.first = {{0, site.file, site.line}, AccessKind::load, blockIdx, thread};
  finding.memory.name = "lane " + std::to_string(lane) +
                        ((mask >> lane & 1) == 0 ? ", which is not in the shuffle's mask"
                                                 : ", which has exited or does not exist");
  finding.sentence = std::to_string(site.line);  // one finding per shuffle
  add(std::move(finding));
}

void FindingLog::add_misused_barrier(Site site, const char* sentence) {
  Finding finding = in_kernel(FindingKind::fault);
  finding.has_first = true;
  finding.first = {{0, site.file, site.line}, AccessKind::load, blockIdx, threadIdx};
  finding.sentence = std::string("a thread ") + sentence;
  add(std::move(finding));
}

void FindingLog::add_passed_barrier(const PassedBarriers::Passage& passage) {
  Finding finding = in_kernel(FindingKind::passed_barrier);
  finding.has_first = finding.has_second = true;
  finding.first = accessor({passage.code, passage.block, passage.thread});
  finding.second = {{0, passage.barrier.file, passage.barrier.line},
                    AccessKind::load,
                    passage.block,
                    finding.first.thread};
  finding.sentence = std::to_string(passage.barrier.line);
  add(std::move(finding));
}

void FindingLog::add_forbidden_copy(std::size_t bytes) {
  Finding finding = of_kind(FindingKind::forbidden_write);
  finding.memory = {MemorySpace::host, "", 0, static_cast<unsigned>(bytes)};
  finding.sentence =
      "a call of the CUDA runtime would have written memory that does not belong to the submission";
  add(std::move(finding));
}

void FindingLog::add_leak(std::size_t bytes) {
  Finding finding = of_kind(FindingKind::leak);
  finding.memory.bytes = static_cast<unsigned>(std::min<std::size_t>(bytes, ~0u));
  add(std::move(finding));
}

}  // namespace tilelab::emulator
