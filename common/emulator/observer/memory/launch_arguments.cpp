#include "emulator/observer/memory/launch_arguments.h"

#include <algorithm>
#include <cstring>

#include "schema/hexadecimal.h"

/// The executable's first byte in memory, and the one after its last.
extern "C" [[gnu::visibility("hidden")]] const char __executable_start[], _end[];

namespace tilelab::emulator {

void LaunchArguments::add_array(const void* begin, std::size_t bytes) {
  arrays_.push_back({reinterpret_cast<std::uintptr_t>(begin), bytes, places_.take(bytes)});
}

void LaunchArguments::memory_allocated(const void* begin, std::size_t bytes) {
  if (is_observing_) add_array(begin, bytes);
}

void LaunchArguments::note(const KernelCall& kernel) {
  text_.clear();
  kernel.arguments.visit(add_argument, this);
}

void LaunchArguments::add_to(report::LaunchReport& report) { report.arguments = {text_}; }

void LaunchArguments::add_to(report::Report&) {
  is_observing_ = false;
  places_ = {};
  arrays_.clear();
}

void LaunchArguments::add_argument(void* self, const void* argument, std::size_t bytes) {
  auto& all = *static_cast<LaunchArguments*>(self);
  std::vector<std::byte> value(bytes);
  std::memcpy(value.data(), argument, bytes);
  std::uint64_t word = 0;
  for (std::size_t at = 0; at + sizeof word <= bytes; at += sizeof word) {
    std::memcpy(&word, &value[at], sizeof word);
    word = all.placed(word);
    std::memcpy(&value[at], &word, sizeof word);
  }
  if (!all.text_.empty()) all.text_ += ' ';
  all.text_ += schema::digits_of(value.data(), bytes);
}

/// A word with the place of the address in it, if it is one.
std::uint64_t LaunchArguments::placed(std::uint64_t word) const {
  const auto begin = reinterpret_cast<std::uintptr_t>(__executable_start);
  if (word - begin <= static_cast<std::uint64_t>(_end - __executable_start)) {
    return schema::variables_place;
  }
  // A pointer past the end is one to the array, too.
  const auto found = std::find_if(arrays_.rbegin(), arrays_.rend(),
                                  [&](const Array& it) { return word - it.begin <= it.bytes; });
  return found == arrays_.rend() ? word : found->place + word - found->begin;
}

}  // namespace tilelab::emulator
