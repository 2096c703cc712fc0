#include "emulator/observer/findings/finding_log.h"

#include <algorithm>
#include <utility>

#include "emulator/emulator.h"
#include "emulator/observer/events/code_address.h"
#include "emulator/observer/findings/index3.h"
#include "emulator/runtime/blocks/extents.h"
#include "emulator/runtime/callers.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/execution/scheduler.h"

namespace tilelab::emulator {

using report::Accessor;
using report::Finding;
using report::FindingKind;

namespace {

bool are_of_one_warp(const Accessor& first, const Accessor& second) {
  const auto warp_of = [](const report::Index3& thread) {
    return (thread.x + blockDim.x * (thread.y + blockDim.y * thread.z)) / warp_lanes;
  };
  return first.block == second.block && warp_of(first.thread) == warp_of(second.thread);
}

}  // namespace

Accessor side_of(Code code, uint3 block, uint3 thread) {
  return {{link_time_address(place_of(code)), "", 0}, kind_of(code), index3(block), index3(thread)};
}

Accessor side_of(const Party& party) {
  return side_of(party.code, party.block, Scheduler::instance().thread_index(party.thread));
}

Accessor side_at(Site site, uint3 block, uint3 thread) {
  return {{0, site.file, site.line}, AccessKind::load, index3(block), index3(thread)};
}

void FindingLog::add(Finding finding) {
  is_explained_ |= kernel_ != nullptr && report::row_of(finding.kind).ends_launch;
  tell(findings().add(std::move(finding)));
}

/// @param found  null if it is known
void FindingLog::tell(const Finding* found) {
  if (found != nullptr && journal_ != nullptr) journal_->found(*found);
}

void FindingLog::add_race(FindingKind kind, std::uint32_t address, unsigned bytes,
                          const Sides& sides, const Reason& reason, std::uint64_t count) {
  Finding finding = made(kind, names_.place_at(address, bytes), sides, reason.sentence);
  finding.count = count;
  tell(findings().add_race(std::move(finding), reason));
}

Finding FindingLog::made(FindingKind kind, report::MemoryPlace memory, const Sides& sides,
                         std::string sentence) const {
  Finding finding{};
  finding.kind = kind;
  if (kernel_ != nullptr) finding.kernel = kernel_->name;
  finding.memory = std::move(memory);
  finding.has_first = !sides.empty();
  finding.has_second = sides.size() > 1;
  if (finding.has_first) finding.first = sides[0];
  if (finding.has_second) finding.second = sides[1];
  // Atomic operations do not race with each other, so of a plain access next to them only the first
  // pair is seen. In a larger block, there are others.
  const bool has_atomic = finding.has_second && (finding.first.kind == AccessKind::atomic ||
                                                 finding.second.kind == AccessKind::atomic);
  const bool may_be_alone = !has_atomic || count_of(blockDim) <= warp_lanes;
  finding.in_warp =
      finding.has_second && may_be_alone && are_of_one_warp(finding.first, finding.second);
  finding.sentence = std::move(sentence);
  return finding;
}

void FindingLog::add(FindingKind kind, report::MemoryPlace memory, const Sides& sides,
                     std::string sentence, std::uint64_t count) {
  Finding finding = made(kind, std::move(memory), sides, std::move(sentence));
  finding.count = count;
  add(std::move(finding));
}

void FindingLog::add_unordered(FindingKind kind, std::uint32_t address, unsigned bytes,
                               const Sides& sides, std::string sentence,
                               std::vector<report::SourcePlace> launches,
                               std::vector<std::vector<std::uint64_t>> callers) {
  Finding finding = made(kind, names_.place_at(address, bytes), sides, std::move(sentence));
  finding.launches = std::move(launches);
  if (!callers.empty()) finding.callers = std::move(callers.front());
  if (callers.size() > 1) finding.other_callers = std::move(callers[1]);
  add(std::move(finding));
}

void FindingLog::add_call(FindingKind kind, std::uint32_t address, std::string sentence,
                          std::vector<std::uint64_t> callers) {
  Finding finding = made(kind, names_.place_at(address, 1), {}, std::move(sentence));
  finding.callers = std::move(callers);
  add(std::move(finding));
}

void FindingLog::add_early(FindingKind kind, std::uint32_t address, unsigned bytes,
                           const Sides& sides, std::string sentence,
                           std::vector<std::uint64_t> callers) {
  Finding finding = made(kind, names_.place_at(address, bytes), sides, std::move(sentence));
  if (!finding.has_second) finding.other_callers = std::move(callers);
  add(std::move(finding));
}

void FindingLog::add_early_free(std::uint32_t address, bool is_of_host,
                                std::optional<Accessor> user, std::string sentence,
                                std::vector<std::uint64_t> callers,
                                std::vector<std::uint64_t> user_callers) {
  Finding finding =
      made(FindingKind::early_free, names_.place_at(address, 1), {}, std::move(sentence));
  if (is_of_host) finding.memory.space = report::MemorySpace::host;
  finding.has_second = user.has_value();
  if (user) finding.second = *user;
  finding.callers = std::move(callers);
  if (!user) finding.other_callers = std::move(user_callers);
  add(std::move(finding));
}

Finding FindingLog::freed_twice(const void* memory, std::vector<std::uint64_t> callers,
                                std::vector<std::uint64_t> first_callers) const {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  Finding finding = made(FindingKind::freed_twice, names_.freed_place(address, 1), {}, "");
  finding.callers = std::move(callers);
  finding.other_callers = std::move(first_callers);
  return finding;
}

void FindingLog::add_unchecked_error(Site site, std::string sentence,
                                     std::vector<std::uint64_t> callers) {
  Finding finding = made(FindingKind::unchecked_error, {}, {side_at(site)}, std::move(sentence));
  finding.callers = std::move(callers);
  add(std::move(finding));
}

void FindingLog::add_access(FindingKind kind, report::MemoryPlace memory, Code code,
                            std::vector<std::uint64_t> freed_by) {
  // The access that a wrong index led to says more.
  const bool has_index =
      kernel_ != nullptr && inside_.withdraw_index(index3(blockIdx), index3(threadIdx));
  if (has_index && journal_ != nullptr) journal_->withdrawn();
  const Accessor side =
      kernel_ != nullptr ? side_of(code, blockIdx, threadIdx) : side_of(code, {}, {});
  Finding finding = made(kind, std::move(memory), {side}, "");
  finding.other_callers = std::move(freed_by);
  add(std::move(finding));
}

void FindingLog::add_leak(const void* begin, std::size_t bytes, const char* kind,
                          std::vector<std::uint64_t> callers) {
  Finding finding{};
  finding.kind = FindingKind::leak;
  finding.sentence = kind;
  finding.memory.name = names_.pointer_to(begin);
  finding.memory.size = bytes;
  if (bytes <= ~0u) finding.memory.bytes = static_cast<unsigned>(bytes);
  finding.callers = std::move(callers);
  add(std::move(finding));
}

void FindingLog::add_host_fault(std::string sentence) {
  Finding finding{};
  finding.kind = FindingKind::fault;
  finding.sentence = std::move(sentence);
  finding.callers = innermost_callers();
  add(std::move(finding));
}

void FindingLog::add_refused_launch(const KernelCall& kernel, Site site, std::string sentence) {
  Finding finding{};
  finding.kind = FindingKind::failed_launch;
  finding.kernel = kernel.name;
  finding.has_first = true;
  finding.first = side_at(site);
  finding.sentence = std::move(sentence);
  add(std::move(finding));
}

void FindingLog::add_fault() {
  Finding finding = made(fault_kind_, {}, {}, fault_message());
  // The sentence of a deadlock says where threads wait.
  if (fault_kind_ == FindingKind::fault)
    finding.callers.assign(fault_callers().begin(), fault_callers().end());
  add(std::move(finding));
}

std::vector<Finding> FindingLog::launch_ends() {
  if (sticky_error() != cudaSuccess && !is_explained_) add_fault();
  kernel_ = nullptr;
  is_explained_ = false;
  fault_kind_ = FindingKind::fault;
  return inside_.take();
}

}  // namespace tilelab::emulator
