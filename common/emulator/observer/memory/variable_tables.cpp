#include "emulator/observer/memory/variable_tables.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

extern "C" {
[[gnu::weak, gnu::visibility("hidden")]] extern const char __start_tilelab_shared[];
[[gnu::weak, gnu::visibility("hidden")]] extern const char __stop_tilelab_shared[];
[[gnu::weak, gnu::visibility("hidden")]] extern const char __start_tilelab_variables[];
[[gnu::weak, gnu::visibility("hidden")]] extern const char __stop_tilelab_variables[];
}

namespace tilelab::emulator {
namespace {

/// "tile" of "_ZZ6kernelPiE4tile".
std::string source_name(const char* symbol) {
  // Without the prefix, "g" would be the name of a type.
  const bool is_mangled = std::string_view(symbol).starts_with("_Z");
  const std::unique_ptr<char, void (*)(void*)> demangled(
      is_mangled ? abi::__cxa_demangle(symbol, nullptr, nullptr, nullptr) : nullptr, std::free);
  const std::string name = demangled != nullptr ? demangled.get() : symbol;
  // The rewriter's name for the memory of an object.
  constexpr std::string_view object = "tilelab_object_";
  const std::size_t colon = name.rfind("::");
  const std::string last = colon == std::string::npos ? name : name.substr(colon + 2);
  return last.starts_with(object) ? last.substr(object.size()) : last;
}

std::vector<TableEntry> entries_between(const char* begin, const char* end) {
  struct Head {
    std::uint64_t place;
    std::uint64_t bytes;
    std::uint64_t name_length;
  };
  std::vector<TableEntry> entries;
  for (const char* at = begin; at + sizeof(Head) <= end;) {
    Head head;
    std::memcpy(&head, at, sizeof head);
    entries.push_back({at, head.place, head.bytes, source_name(at + sizeof head)});
    at += sizeof head + (head.name_length + 8) / 8 * 8;
  }
  return entries;
}

std::vector<Variable> read_variables() {
  std::vector<Variable> variables;
  for (TableEntry& entry : entries_between(__start_tilelab_variables, __stop_tilelab_variables)) {
    // The place is the distance of the variable from its entry.
    const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(entry.address) + entry.place;
    variables.push_back({begin, entry.bytes, std::move(entry.name)});
  }
  return variables;
}

const std::vector<Variable>& all_variables() {
  static const std::vector<Variable> variables = read_variables();
  return variables;
}

}  // namespace

std::vector<TableEntry> shared_table() {
  return entries_between(__start_tilelab_shared, __stop_tilelab_shared);
}

const Variable* variable_at(std::uintptr_t address) {
  const std::vector<Variable>& variables = all_variables();
  const auto found = std::ranges::find_if(
      variables, [=](const Variable& it) { return address - it.begin < it.bytes; });
  return found != variables.end() ? &*found : nullptr;
}

const Variable* array_near(std::uintptr_t address, unsigned element_bytes) {
  std::uintptr_t nearest = std::uintptr_t{1} << 20;
  const Variable* found = nullptr;
  for (const Variable& variable : all_variables()) {
    const std::uintptr_t end = variable.begin + variable.bytes;
    const std::uintptr_t distance = address < variable.begin ? variable.begin - address
                                    : address < end          ? 0
                                                             : address - end;
    if (variable.bytes <= element_bytes || distance >= nearest) continue;
    nearest = distance;
    found = &variable;
  }
  return found;
}

}  // namespace tilelab::emulator
