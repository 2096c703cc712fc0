#include "emulator/observer/memory/launch_arguments.h"

#include <algorithm>
#include <cstring>

#include "emulator/observer/memory/submission.h"
#include "schema/hexadecimal.h"

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

void LaunchArguments::add_argument(void* self, const Argument& argument) {
  auto& all = *static_cast<LaunchArguments*>(self);
  const std::size_t bytes = argument.bytes;
  std::vector<std::byte> value(bytes);
  std::memcpy(value.data(), argument.value, bytes);
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
  if (executable().contains(word, 0)) return schema::variables_place;
  // A pointer past the end is one to the array, too.
  const auto found = std::find_if(arrays_.rbegin(), arrays_.rend(),
                                  [&](const Array& it) { return word - it.begin <= it.bytes; });
  return found == arrays_.rend() ? word : found->place + word - found->begin;
}

}  // namespace tilelab::emulator
