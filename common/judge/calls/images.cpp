#include "judge/calls/images.h"

#include <algorithm>
#include <optional>
#include <sstream>

namespace tilelab::judge {
namespace {

// A guard zone is wider than the tiles by which a kernel is usually off.
constexpr std::size_t guard_bytes = 16 * 1024;

// cudaMalloc's alignment, which a payload keeps wherever it lies.
constexpr std::size_t alignment = 256;

constexpr std::size_t round_up(std::size_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

std::vector<wire::Image> lay_out(const std::vector<CallArgument>& arguments,
                                 Images::Contents contents, Random& random, Images::Guards guards) {
  std::vector<wire::Image> layout;
  std::size_t offset = 0;
  for (const CallArgument& argument : arguments) {
    wire::Image image;
    if (argument.role != wire::Role::scalar) {
      image.offset = offset;
      image.payload = argument.bytes;
      if (guards == Images::Guards::around_arrays) {
        image.front = guard_bytes + random.below(64) * alignment;
        // The zone behind begins with the very next byte; only its end is rounded.
        image.back = round_up(argument.bytes) - argument.bytes + guard_bytes;
      }
      const bool in_file =
          argument.role == wire::Role::input || contents == Images::Contents::inputs_and_outputs;
      if (in_file) offset += image.bytes();
    }
    layout.push_back(image);
  }
  return layout;
}

std::size_t file_bytes(const std::vector<CallArgument>& arguments,
                       const std::vector<wire::Image>& layout, Images::Contents contents) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < layout.size(); ++i) {
    const bool in_file = arguments[i].role == wire::Role::input ||
                         (arguments[i].role == wire::Role::output &&
                          contents == Images::Contents::inputs_and_outputs);
    if (in_file) bytes += layout[i].bytes();
  }
  return bytes;
}

/// First and last byte that differ, relative to the start of the zone.
std::optional<std::pair<std::size_t, std::size_t>> changed_range(std::span<const std::byte> before,
                                                                 std::span<const std::byte> after) {
  const auto first = std::mismatch(before.begin(), before.end(), after.begin()).first;
  if (first == before.end()) return std::nullopt;
  const auto last = std::mismatch(before.rbegin(), before.rend(), after.rbegin()).first;
  return std::pair(static_cast<std::size_t>(first - before.begin()),
                   static_cast<std::size_t>(before.rend() - last) - 1);
}

std::string elements(long first, long last) {
  std::ostringstream text;
  text << "[" << first << "]";
  if (last > first) text << (last == first + 1 ? " and [" : " ... [") << last << "]";
  return text.str();
}

}  // namespace

Images::Images(const std::vector<CallArgument>& arguments, Contents contents, Random& random,
               Guards guards)
    : arguments_(arguments),
      layout_(lay_out(arguments, contents, random, guards)),
      file_(file_bytes(arguments, layout_, contents), MemoryFile::Writer::judge_only) {
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const wire::Image& image = layout_[i];
    const bool is_input = arguments_[i].role == wire::Role::input;
    if (arguments_[i].role == wire::Role::scalar) continue;
    if (!is_input && contents == Contents::inputs_only) continue;
    const std::span<std::byte> all = file_.bytes().subspan(image.offset, image.bytes());
    random.fill(all.first(image.front));
    random.fill(all.last(image.back));
    const std::span<std::byte> payload = all.subspan(image.front, image.payload);
    if (is_input) {
      std::copy_n(arguments_[i].input, image.payload, payload.begin());
    } else {
      random.fill(payload);
    }
  }
}

void Images::describe_in(wire::Request& request) const {
  request.argument_count = static_cast<std::uint32_t>(arguments_.size());
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    wire::Argument& argument = request.arguments[i];
    argument.role = arguments_[i].role;
    argument.image = layout_[i];
    argument.element_bytes = static_cast<std::uint32_t>(arguments_[i].element_bytes);
    arguments_[i].name.copy(argument.name, sizeof argument.name - 1);
    std::copy(std::begin(arguments_[i].scalar), std::end(arguments_[i].scalar), argument.value);
  }
}

std::span<const std::byte> Images::payload(std::size_t argument, const MemoryFile& file) const {
  const wire::Image& image = layout_[argument];
  return file.bytes().subspan(image.offset + image.front, image.payload);
}

std::vector<std::string> Images::violations(const Function& function,
                                            const MemoryFile& results) const {
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const CallArgument& argument = arguments_[i];
    if (argument.role == wire::Role::scalar) continue;
    const wire::Image& image = layout_[i];
    const auto zone = [&](const MemoryFile& file, std::size_t offset, std::size_t bytes) {
      return std::span<const std::byte>(file.bytes()).subspan(image.offset + offset, bytes);
    };
    const auto changed = [&](std::size_t offset, std::size_t bytes) {
      return changed_range(zone(file_, offset, bytes), zone(results, offset, bytes));
    };
    const auto size = static_cast<long>(argument.element_bytes);
    const auto count = static_cast<long>(argument.bytes) / size;
    std::ostringstream text;
    if (const auto back = changed(image.front + image.payload, image.back)) {
      text << function.name << " wrote past the end of " << argument.name << ": at "
           << elements(count + static_cast<long>(back->first) / size,
                       count + static_cast<long>(back->second) / size)
           << ", but it has " << count << (count == 1 ? " element" : " elements")
           << ". [pattern: out_of_bounds]";
    } else if (const auto front = changed(0, image.front)) {
      const auto index = [&](std::size_t byte) {
        return -((static_cast<long>(image.front - byte) + size - 1) / size);
      };
      text << function.name << " wrote before the start of " << argument.name << ": at "
           << elements(index(front->first), index(front->second)) << ". [pattern: out_of_bounds]";
    } else if (argument.role == wire::Role::input) {
      if (const auto inside = changed(image.front, image.payload)) {
        text << function.name << " changed " << argument.name << ", which is read only: at "
             << elements(static_cast<long>(inside->first) / size,
                         static_cast<long>(inside->second) / size)
             << ". [pattern: input_changed]";
      }
    }
    if (!text.str().empty()) sentences.push_back(text.str());
  }
  return sentences;
}

}  // namespace tilelab::judge
