#include "emulator/observer/memory/shared_variables.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "emulator/observer/memory/variable_tables.h"
#include "emulator/runtime/memory/shared_memory.h"

namespace tilelab::emulator {
namespace {

/// The offset in the static arrays that the table says by `place`: see edit_assembly.awk.
std::uint64_t offset_of(std::uint64_t place) {
#if defined(__aarch64__)
  const auto immediate = [](std::uint64_t instruction) { return instruction >> 10 & 0xfff; };
  const std::uint64_t from_thread_pointer = immediate(place) << 12 | immediate(place >> 32);
  const auto* thread_pointer = static_cast<const std::byte*>(__builtin_thread_pointer());
  return from_thread_pointer -
         static_cast<std::uint64_t>(static_shared_memory().data() - thread_pointer);
#else
  return place;
#endif
}

}  // namespace

const SharedVariables& SharedVariables::instance() {
  static const SharedVariables variables;
  return variables;
}

SharedVariables::SharedVariables() {
  read_table();
  const std::size_t words = (static_shared_memory().size() + 7) / 8;
  // An access of 16 bytes reads two of these words.
  addressable_.assign(words + 1, variables_.empty() ? 8 : 0);
  for (const SharedVariable& variable : variables_) {
    std::uint8_t* const first = &addressable_[variable.offset / 8];
    std::fill_n(first, variable.bytes / 8, std::uint8_t{8});
    if (variable.bytes % 8 != 0) first[variable.bytes / 8] = variable.bytes % 8;
  }
}

void SharedVariables::read_table() {
  const std::size_t memory = static_shared_memory().size();
  for (TableEntry& entry : shared_table()) {
    const std::uint64_t offset = offset_of(entry.place);
    if (offset + entry.bytes > memory) continue;
    variables_.push_back({static_cast<std::uint32_t>(offset),
                          static_cast<std::uint32_t>(entry.bytes), std::move(entry.name)});
  }
  std::sort(variables_.begin(), variables_.end(),
            [](const auto& a, const auto& b) { return a.offset < b.offset; });
}

const SharedVariable* SharedVariables::nearest(std::uint32_t offset) const {
  if (variables_.empty()) return nullptr;
  auto next = std::upper_bound(variables_.begin(), variables_.end(), offset,
                               [](std::uint32_t wanted, const SharedVariable& variable) {
                                 return wanted < variable.offset;
                               });
  if (next == variables_.begin()) return &*next;
  const SharedVariable& below = *std::prev(next);
  const std::uint32_t end = below.offset + below.bytes;
  const bool is_nearer_to_next =
      next != variables_.end() && offset >= end && next->offset - offset <= offset - end;
  return is_nearer_to_next ? &*next : &below;
}

}  // namespace tilelab::emulator
