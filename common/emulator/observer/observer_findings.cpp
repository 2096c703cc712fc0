// What the observer puts on record, and how it names places in memory.

#include <algorithm>
#include <iterator>

#include "emulator/observer/code_address.h"
#include "emulator/observer/memory/shared_variables.h"
#include "emulator/observer/observer_impl.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/execution/scheduler.h"
#include "emulator/runtime/faults/fault.h"
#include "emulator/runtime/memory/device_memory.h"

namespace tilelab::emulator {
namespace {

/// Which element lies at `offset`, counted in bytes from the first; negative before that one.
std::int64_t index_of(std::int64_t offset, std::int64_t element_bytes) {
  return (offset < 0 ? offset - element_bytes + 1 : offset) / element_bytes;
}

}  // namespace

report::Accessor Observer::accessor(Code code, uint3 block, unsigned thread) const {
  return {{link_time_address(place_of(code)), "", 0},
          kind_of(code),
          block,
          Scheduler::instance().thread_index(thread)};
}

void Observer::report_hit(const RaceDetector::Hit& hit) {
  report::Finding finding{};
  finding.kind = hit.kind;
  finding.kernel = kernel_->name;
  finding.memory = describe(hit.address, hit.bytes);
  finding.has_first = true;
  finding.count = hit.count;
  const auto of = [this](const RaceDetector::Party& party) {
    return accessor(party.code, races_.block_of(party.epoch), party.thread);
  };
  if (hit.has_first) {
    finding.first = of(hit.first);
    finding.second = of(hit.second);
    finding.has_second = true;
  } else {
    finding.first = of(hit.second);
  }
  findings_.add(std::move(finding));
}

void Observer::report_access(report::FindingKind kind, report::MemoryPlace memory, Code code) {
  report::Finding finding{};
  finding.kind = kind;
  if (runs_kernel_) {
    finding.kernel = kernel_->name;
    finding.first.block = blockIdx;
    finding.first.thread = threadIdx;
  }
  finding.memory = std::move(memory);
  finding.has_first = true;
  finding.first.place.code = link_time_address(place_of(code));
  finding.first.kind = kind_of(code);
  findings_.add(std::move(finding));
  explained_fault_ = runs_kernel_;
}

void Observer::report_fault() {
  report::Finding finding{};
  finding.kind = fault_kind_;
  finding.kernel = kernel_->name;
  finding.sentence = fault_message();
  findings_.add(std::move(finding));
}

void Observer::barrier_diverges(Site site, uint3 thread, Site other_site, uint3 other_thread) {
  report::Finding finding{};
  finding.kind = report::FindingKind::divergent_barrier;
  finding.kernel = kernel_->name;
  finding.has_first = finding.has_second = true;
  finding.first = {{0, site.file, site.line}, AccessKind::load, blockIdx, thread};
  finding.second = {
      {0, other_site.file, other_site.line}, AccessKind::load, blockIdx, other_thread};
  findings_.add(std::move(finding));
  explained_fault_ = true;
}

void Observer::threads_deadlock() { fault_kind_ = report::FindingKind::deadlock; }

report::MemoryPlace Observer::describe(std::uint32_t address, unsigned bytes) const {
  report::MemoryPlace place{space_of(address), "", 0, bytes};
  if (address < space_base::shared) {
    return describe_outside(DeviceMemory::instance().base() + address, bytes);
  }
  if (place.space == MemorySpace::shared && address < space_base::dynamic) {
    return describe_shared(address - space_base::shared, bytes);
  }
  if (place.space == MemorySpace::shared) {
    place.index = address - space_base::dynamic;
  } else {
    place.index = address & 0x0fffffff;
  }
  return place;
}

report::MemoryPlace Observer::describe_shared(std::int64_t offset, unsigned bytes) const {
  report::MemoryPlace place{MemorySpace::shared, "", offset, bytes};
  const auto in_memory = static_cast<std::uint32_t>(std::max<std::int64_t>(offset, 0));
  const SharedVariable* variable = SharedVariables::instance().nearest(in_memory);
  if (variable == nullptr) return place;
  // The type of its elements is not known: most accesses are to whole ones.
  const std::int64_t inside = offset - variable->offset;
  place.name = variable->name;
  place.index = index_of(inside, bytes);
  return place;
}

report::MemoryPlace Observer::describe_outside(std::uintptr_t address, unsigned bytes) const {
  report::MemoryPlace place{MemorySpace::global, "", 0, bytes};
  const auto block = DeviceMemory::instance().block_below(reinterpret_cast<const void*>(address));
  if (!block) return place;
  const std::uintptr_t begin = address - static_cast<std::uintptr_t>(block->offset);
  // The last name at or below the address, else the first one above it, of the same allocation.
  auto name = names_.upper_bound(address);
  if (name != names_.begin() && std::prev(name)->first >= begin) --name;
  if (name == names_.end() || name->first < begin || name->first >= begin + block->size) {
    place.index = static_cast<std::int64_t>(address - DeviceMemory::instance().base());
    return place;
  }
  const auto offset = static_cast<std::int64_t>(address - name->first);
  const auto element = static_cast<std::int64_t>(name->second.element_bytes);
  place.name = name->second.text;
  place.index = index_of(offset, element);
  return place;
}

void Observer::name(const void* pointer, const char* text, std::size_t element_bytes,
                    std::size_t elements) {
  const auto block = DeviceMemory::instance().block_below(pointer);
  if (!block || static_cast<std::size_t>(block->offset) > block->size) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
  names_[begin] = {text, element_bytes};
  if (elements == 0) return;
  set_addressable(begin - static_cast<std::size_t>(block->offset), block->size, false);
  set_addressable(begin, elements * element_bytes, true);
}

bool Observer::is_addressable(std::uintptr_t address, std::size_t bytes) const {
  const DeviceMemory& memory = DeviceMemory::instance();
  if (!memory.contains(reinterpret_cast<const void*>(address))) return false;
  for (std::uintptr_t at = address; at < address + bytes; ++at) {
    const std::uintptr_t offset = at - memory.base();
    if (addressable_[offset / 8] <= offset % 8) return false;
  }
  return true;
}

}  // namespace tilelab::emulator
