#include "emulator/observer/memory/memory_names.h"

#include <algorithm>
#include <iterator>

#include "emulator/observer/events/cluster_address.h"
#include "emulator/observer/events/event.h"
#include "emulator/observer/memory/shared_variables.h"
#include "emulator/observer/memory/submission.h"
#include "emulator/runtime/api/allocation_name.h"
#include "emulator/runtime/execution/scheduler.h"
#include "emulator/runtime/memory/device_memory.h"
#include "emulator/runtime/memory/pinned_memory.h"

namespace tilelab::emulator {
namespace {

/// The index of the element at `offset` bytes from the first. It is negative before the first.
std::int64_t index_of(std::int64_t offset, std::int64_t element_bytes) {
  return (offset < 0 ? offset - element_bytes + 1 : offset) / element_bytes;
}

/// The address, or the one that an unsigned index below zero was meant for: it leads 2^32 elements
/// away, where another block may be nearer.
std::uintptr_t address_meant(std::uintptr_t address, unsigned bytes) {
  const DeviceMemory& memory = DeviceMemory::instance();
  if (memory.is_allocated(reinterpret_cast<const void*>(address), bytes)) return address;
  const std::uintptr_t before_wrap = address - (std::uintptr_t{bytes} << 32);
  const auto block = memory.nearest_block(reinterpret_cast<const void*>(before_wrap));
  const bool is_just_below =
      block && block->offset < 0 && -block->offset <= static_cast<std::ptrdiff_t>(block->size);
  return is_just_below ? before_wrap : address;
}

}  // namespace

void MemoryNames::add(const void* begin, const char* name, std::size_t element_bytes,
                      std::size_t elements) {
  names_[reinterpret_cast<std::uintptr_t>(begin)] = {
      name, element_bytes, elements, element_bytes * elements, false, false};
}

void MemoryNames::observation_begins(const ObserverOptions&) {
  is_observing_ = true;
  allocations_ = 0;
}

void MemoryNames::memory_allocated(const void* begin, std::size_t bytes) {
  const AllocationName known = take_allocation_name();
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  freed_.erase(freed_.lower_bound(first), freed_.lower_bound(first + bytes));
  if (!is_observing_) return;
  const unsigned number = ++allocations_;
  const std::size_t element_bytes = known.element_bytes;
  const bool is_pointer = known.text != nullptr;
  names_[first] = {is_pointer ? known.text : "allocation " + std::to_string(number),
                   element_bytes,
                   element_bytes > 0 ? bytes / element_bytes : 0,
                   bytes,
                   true,
                   is_pointer};
}

void MemoryNames::memory_released(const void* pointer, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
  const auto end = names_.lower_bound(begin + bytes);
  for (auto name = names_.lower_bound(begin); name != end; name = names_.erase(name)) {
    freed_.insert_or_assign(name->first, std::move(name->second));
  }
}

report::MemoryPlace MemoryNames::place_at(std::uint32_t address, unsigned bytes) const {
  if (address < space_base::shared) {
    return device_place(DeviceMemory::instance().base() + address, bytes);
  }
  if (address < space_base::dynamic) return shared_place(address - space_base::shared, bytes);
  if (is_cluster_address(address)) return foreign_place(cluster_place_at(address), bytes);
  if (is_pinned(address)) {
    return pinned_place(PinnedMemory::instance().address_of(address - space_base::pinned), bytes);
  }
  const MemorySpace space = space_of(address);
  if (address >= space_base::variables && address < space_base::pinned) {
    const auto begin = reinterpret_cast<std::uintptr_t>(memory_at(address));
    if (const Variable* variable = variable_at(begin)) {
      report::MemoryPlace place = variable_place(*variable, begin, bytes);
      place.space = space;
      return place;
    }
  }
  const std::uint32_t index =
      space == MemorySpace::shared ? address - space_base::dynamic : address & 0x0fffffff;
  return {space, "", index, bytes};
}

report::MemoryPlace MemoryNames::shared_place(std::int64_t offset, unsigned bytes) const {
  report::MemoryPlace place{MemorySpace::shared, "", offset, bytes};
  const auto in_memory = static_cast<std::uint32_t>(std::max<std::int64_t>(offset, 0));
  const SharedVariable* variable = SharedVariables::instance().nearest(in_memory);
  if (variable == nullptr) return place;
  // The type of its elements is not known, but most accesses are to whole elements.
  place.name = variable->name;
  place.index = index_of(offset - variable->offset, bytes);
  place.size = variable->bytes / bytes;
  return place;
}

report::MemoryPlace MemoryNames::foreign_place(const ClusterPlace& in_cluster,
                                               unsigned bytes) const {
  const uint3 block = Scheduler::instance().cluster()->block(in_cluster.rank);
  const std::string owner = "block (" + std::to_string(block.x) + ',' + std::to_string(block.y) +
                            ',' + std::to_string(block.z) + ")'s ";
  const auto offset = static_cast<std::int64_t>(in_cluster.offset);
  if (!in_cluster.is_dynamic) {
    report::MemoryPlace place = shared_place(offset, bytes);
    place.name = owner + (place.name.empty() ? "shared memory" : place.name);
    return place;
  }
  const std::size_t size = Scheduler::instance().configuration().dynamic_shared_bytes;
  // Most accesses are to whole elements.
  return {MemorySpace::shared, owner + "dynamic shared memory", index_of(offset, bytes), bytes,
          size / bytes};
}

report::MemoryPlace MemoryNames::place_in(const Names::value_type& array, std::size_t block_bytes,
                                          std::uintptr_t address, unsigned bytes) {
  const auto& [begin, name] = array;
  report::MemoryPlace place{MemorySpace::global, name.text, 0, bytes};
  place.is_own = name.is_own;
  const bool is_typed = name.element_bytes > 0;
  // Most accesses are to whole elements.
  const std::size_t element_bytes = is_typed ? name.element_bytes : bytes;
  const std::size_t bytes_of_array = name.bytes > 0 ? name.bytes : block_bytes;
  place.size = is_typed ? name.elements : bytes_of_array / element_bytes;
  if (place.size == 0) place.room = name.bytes;
  place.index = index_of(static_cast<std::int64_t>(address - begin),
                         static_cast<std::int64_t>(element_bytes));
  return place;
}

report::MemoryPlace MemoryNames::freed_place(std::uintptr_t address, unsigned bytes) const {
  const auto above = freed_.upper_bound(address);
  if (above == freed_.begin()) return device_place(address, bytes);
  const auto& array = *std::prev(above);
  return place_in(array, array.second.bytes, address, bytes);
}

bool MemoryNames::was_freed(std::uintptr_t address) const {
  const auto above = freed_.upper_bound(address);
  if (above == freed_.begin()) return false;
  const auto& [begin, array] = *std::prev(above);
  return address - begin < array.bytes;
}

report::MemoryPlace MemoryNames::device_place(std::uintptr_t address, unsigned bytes) const {
  if (was_freed(address)) return freed_place(address, bytes);
  report::MemoryPlace place{MemorySpace::global, "", 0, bytes};
  place.is_own = true;  // unless it turns out to be an array of the call
  const std::uintptr_t meant = address_meant(address, bytes);
  const auto block = DeviceMemory::instance().nearest_block(reinterpret_cast<const void*>(meant));
  if (!block) return place;
  const std::uintptr_t begin = meant - static_cast<std::uintptr_t>(block->offset);
  // The last name at or below the address, or else the first one above it, in the same allocation.
  auto name = names_.upper_bound(meant);
  if (name != names_.begin() && std::prev(name)->first >= begin) --name;
  if (name == names_.end() || name->first < begin || name->first >= begin + block->size) {
    place.index = static_cast<std::int64_t>(address - DeviceMemory::instance().base());
    return place;
  }
  return place_in(*name, block->size, address, bytes);
}

report::MemoryPlace MemoryNames::variable_place(const Variable& variable, std::uintptr_t address,
                                                unsigned bytes) {
  // Most accesses are to whole elements.
  report::MemoryPlace place{MemorySpace::global, variable.name, 0, bytes, variable.bytes / bytes};
  place.is_own = true;
  place.index = index_of(static_cast<std::int64_t>(address - variable.begin), bytes);
  return place;
}

report::MemoryPlace MemoryNames::pinned_place(std::uintptr_t address, unsigned bytes) {
  const auto pinned = PinnedMemory::instance().place_of(address);
  report::MemoryPlace place{MemorySpace::global, "pinned host memory", 0, bytes};
  place.is_own = true;
  if (!pinned) return place;
  // Most accesses are to whole elements.
  place.index = index_of(pinned->offset, bytes);
  place.size = pinned->size / bytes;
  return place;
}

std::string MemoryNames::pointer_to(const void* begin) const {
  const auto name = names_.find(reinterpret_cast<std::uintptr_t>(begin));
  return name != names_.end() && name->second.is_pointer ? name->second.text : "";
}

MemoryNames::Array MemoryNames::array_at(std::uint32_t address) const {
  if (address < space_base::shared) return device_array(address);
  if (is_cluster_address(address)) {
    const ClusterPlace block{cluster_place_at(address).rank, false, 0};
    return {MemorySpace::shared, "shared memory of another block", compress_cluster_place(block),
            0};
  }
  if (address >= space_base::variables) return {MemorySpace::global, "", space_base::variables, 0};
  if (address >= space_base::dynamic) return {MemorySpace::shared, "", space_base::dynamic, 0};
  const SharedVariable* variable =
      SharedVariables::instance().nearest(address - space_base::shared);
  if (variable == nullptr) return {MemorySpace::shared, "", space_base::shared, 0};
  return {MemorySpace::shared, variable->name, space_base::shared + variable->offset,
          variable->bytes};
}

/// The last named array that begins at or below the address, or else the allocation.
MemoryNames::Array MemoryNames::device_array(std::uint32_t address) const {
  const std::uintptr_t base = DeviceMemory::instance().base();
  const auto block =
      DeviceMemory::instance().block_below(reinterpret_cast<const void*>(base + address));
  if (!block) return {};
  const std::uintptr_t begin = base + address - static_cast<std::uintptr_t>(block->offset);
  auto name = names_.upper_bound(base + address);
  if (name == names_.begin() || (--name)->first < begin) {
    return {MemorySpace::global, "", static_cast<std::uint32_t>(begin - base), block->size};
  }
  const Name& found = name->second;
  return {MemorySpace::global, found.text, static_cast<std::uint32_t>(name->first - base),
          found.bytes > 0 || found.element_bytes > 0 ? found.bytes : block->size};
}

}  // namespace tilelab::emulator
