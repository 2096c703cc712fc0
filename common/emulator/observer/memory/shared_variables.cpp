#include "emulator/observer/memory/shared_variables.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

#include "emulator/runtime/memory/shared_memory.h"

extern "C" {
[[gnu::weak, gnu::visibility("hidden")]] extern const char __start_tilelab_shared[];
[[gnu::weak, gnu::visibility("hidden")]] extern const char __stop_tilelab_shared[];
}

namespace tilelab::emulator {
namespace {

/// "tile" of "_ZZ6kernelPiE4tile".
std::string source_name(const char* symbol) {
  const std::unique_ptr<char, void (*)(void*)> demangled(
      abi::__cxa_demangle(symbol, nullptr, nullptr, nullptr), std::free);
  const std::string name = demangled != nullptr ? demangled.get() : symbol;
  // The rewriter's name for the memory of an object.
  constexpr std::string_view object = "tilelab_object_";
  const std::size_t colon = name.rfind("::");
  const std::string last = colon == std::string::npos ? name : name.substr(colon + 2);
  return last.starts_with(object) ? last.substr(object.size()) : last;
}

/// The offset in the static arrays that the table says by `place`: see shared_table.awk.
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
  struct Entry {
    std::uint64_t place;
    std::uint64_t bytes;
    std::uint64_t name_length;
  };
  const std::size_t memory = static_shared_memory().size();
  for (const char* at = __start_tilelab_shared; at + sizeof(Entry) <= __stop_tilelab_shared;) {
    Entry entry;
    std::memcpy(&entry, at, sizeof entry);
    at += sizeof entry;
    const std::uint64_t offset = offset_of(entry.place);
    if (offset + entry.bytes > memory) continue;
    variables_.push_back({static_cast<std::uint32_t>(offset),
                          static_cast<std::uint32_t>(entry.bytes), source_name(at)});
    at += (entry.name_length + 8) / 8 * 8;
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
