#include "judge/calls/images.h"

#include <algorithm>

#include "judge/calls/violation.h"

namespace tilelab::judge {
namespace {

// A kernel that misses an array is usually off by a tile or less. A guard zone is wider than that.
constexpr std::size_t guard_bytes = 16 * 1024;

// cudaMalloc's alignment. Every payload keeps it.
constexpr std::size_t alignment = 256;

constexpr std::size_t round_up(std::size_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

bool is_in_file(const CallArgument& argument, Images::Contents contents) {
  const bool has_payload = argument.role != wire::Role::scalar;
  return has_payload &&
         (wire::is_read(argument.role) || contents == Images::Contents::inputs_and_outputs);
}

std::vector<wire::Image> lay_out(const std::vector<CallArgument>& arguments,
                                 Images::Contents contents, Random& random, unsigned shift) {
  std::vector<wire::Image> layout;
  std::size_t offset = 0;
  for (const CallArgument& argument : arguments) {
    wire::Image image;
    image.payload = argument.bytes;
    if (wire::is_array(argument.role)) {
      const std::uint64_t place = (random.below(Images::places) + shift) % Images::places;
      image.front = guard_bytes + place * alignment;
      // The back zone begins with the very next byte; only its end is rounded. All places take as
      // much memory, so that the place of one array does not move the next.
      image.back = round_up(argument.bytes) - argument.bytes + guard_bytes +
                   (Images::places - 1 - place) * alignment;
    }
    image.offset = offset;
    if (is_in_file(argument, contents)) offset += image.bytes();
    layout.push_back(image);
  }
  return layout;
}

std::size_t file_bytes(const std::vector<CallArgument>& arguments,
                       const std::vector<wire::Image>& layout, Images::Contents contents) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < layout.size(); ++i) {
    if (is_in_file(arguments[i], contents)) bytes += layout[i].bytes();
  }
  return bytes;
}

}  // namespace

Images::Images(const std::vector<CallArgument>& arguments, Contents contents, Random& random,
               unsigned shift)
    : arguments_(arguments),
      layout_(lay_out(arguments, contents, random, shift)),
      file_(file_bytes(arguments, layout_, contents), MemoryFile::Writer::judge_only) {
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const wire::Image& image = layout_[i];
    if (!is_in_file(arguments_[i], contents)) continue;
    const std::span<std::byte> all = file_.bytes().subspan(image.offset, image.bytes());
    random.fill(all.first(image.front));
    random.fill(all.last(image.back));
    const std::span<std::byte> payload = all.subspan(image.front, image.payload);
    if (wire::is_read(arguments_[i].role)) {
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

std::vector<Message> Images::violations(const Function& function, const MemoryFile& results) const {
  std::vector<Message> messages;
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (!wire::is_array(arguments_[i].role)) continue;
    const auto image_in = [&](const MemoryFile& file) {
      return file.bytes().subspan(layout_[i].offset, layout_[i].bytes());
    };
    const ArrayImages images{layout_[i], image_in(file_), image_in(results)};
    if (auto message = find_violation(function, arguments_[i], images)) {
      messages.push_back(*std::move(message));
    }
  }
  return messages;
}

}  // namespace tilelab::judge
