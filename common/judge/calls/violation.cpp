#include "judge/calls/violation.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>

namespace tilelab::judge {
namespace {

/// The first and the last byte of a zone that changed.
using Range = std::pair<std::size_t, std::size_t>;

std::optional<Range> changed_in(const ArrayImages& images, std::size_t offset, std::size_t bytes) {
  const auto before = images.before.subspan(offset, bytes);
  const auto after = images.after.subspan(offset, bytes);
  const auto first = std::mismatch(before.begin(), before.end(), after.begin()).first;
  if (first == before.end()) return std::nullopt;
  const auto last = std::mismatch(before.rbegin(), before.rend(), after.rbegin()).first;
  return Range(static_cast<std::size_t>(first - before.begin()),
               static_cast<std::size_t>(before.rend() - last) - 1);
}

std::string elements(long first, long last) {
  std::ostringstream text;
  text << "[" << first << "]";
  if (last > first) text << (last == first + 1 ? " and [" : " ... [") << last << "]";
  return text.str();
}

std::optional<Message> find_write_past_end(const Function& function, const CallArgument& argument,
                                           const ArrayImages& images) {
  const wire::Image& layout = images.layout;
  const auto range = changed_in(images, layout.front + layout.payload, layout.back);
  if (!range) return std::nullopt;
  const auto size = static_cast<long>(argument.element_bytes);
  const auto count = static_cast<long>(argument.bytes) / size;
  const auto index = [&](std::size_t byte) { return count + static_cast<long>(byte) / size; };
  std::ostringstream text;
  text << function.name << " wrote past the end of " << argument.name << ": at "
       << elements(index(range->first), index(range->second)) << ", but it has " << count
       << (count == 1 ? " element" : " elements") << ".";
  return Message(text.str(), "stray_write");
}

std::optional<Message> find_write_before_start(const Function& function,
                                               const CallArgument& argument,
                                               const ArrayImages& images) {
  const auto range = changed_in(images, 0, images.layout.front);
  if (!range) return std::nullopt;
  const auto size = static_cast<long>(argument.element_bytes);
  const auto index = [&](std::size_t byte) {
    return -((static_cast<long>(images.layout.front - byte) + size - 1) / size);
  };
  std::ostringstream text;
  text << function.name << " wrote before the start of " << argument.name << ": at "
       << elements(index(range->first), index(range->second)) << ".";
  return Message(text.str(), "stray_write");
}

std::optional<Message> find_changed_input(const Function& function, const CallArgument& argument,
                                          const ArrayImages& images) {
  if (argument.role != wire::Role::input) return std::nullopt;
  const auto range = changed_in(images, images.layout.front, images.layout.payload);
  if (!range) return std::nullopt;
  const auto index = [&](std::size_t byte) {
    return static_cast<long>(byte / argument.element_bytes);
  };
  std::ostringstream text;
  text << function.name << " changed " << argument.name << ", which is read only: at "
       << elements(index(range->first), index(range->second)) << ".";
  return Message(text.str(), "input_changed");
}

}  // namespace

std::optional<Message> find_violation(const Function& function, const CallArgument& argument,
                                      const ArrayImages& images) {
  for (const auto find : {find_write_past_end, find_write_before_start, find_changed_input}) {
    if (auto message = find(function, argument, images)) return message;
  }
  return std::nullopt;
}

}  // namespace tilelab::judge
