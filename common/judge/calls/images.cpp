#include "judge/calls/images.h"

#include <algorithm>
#include <cstring>

#include "judge/calls/violation.h"

namespace tilelab::judge {
namespace {

// A kernel that misses an array is usually off by a tile or less. A guard zone is wider than that.
constexpr std::size_t guard_bytes = 16 << 10;

// cudaMalloc's alignment. Every payload keeps it, or begins less than the usual alignment behind.
constexpr std::size_t of_allocations = 256;

constexpr std::size_t round_up(std::size_t bytes) {
  return (bytes + of_allocations - 1) / of_allocations * of_allocations;
}

/// Draws where the arrays of a call begin behind a place.
class Offsets {
 public:
  Offsets(std::size_t alignment, Random& random, unsigned shift)
      : alignment_(alignment),
        choices_(Images::usual_alignment / alignment),
        random_(random),
        shift_(shift),
        are_any_(choices_ > 1 && (random.below(2) + shift) % 2 == 1) {}

  std::size_t next() {
    return are_any_ ? (random_.below(choices_) + shift_) % choices_ * alignment_ : 0;
  }

 private:
  std::size_t alignment_, choices_;
  Random& random_;
  unsigned shift_;
  bool are_any_;
};

bool is_in_file(const CallArgument& argument, Images::Contents contents) {
  const bool has_payload = argument.role != wire::Role::scalar;
  return has_payload &&
         (wire::is_read(argument.role) || contents == Images::Contents::inputs_and_outputs);
}

std::vector<wire::Image> lay_out(const std::vector<CallArgument>& arguments,
                                 Images::Contents contents, Random& random, unsigned shift,
                                 std::size_t alignment) {
  Offsets offsets(alignment, random, shift);
  std::vector<wire::Image> layout;
  std::size_t offset = 0;
  for (const CallArgument& argument : arguments) {
    wire::Image image;
    image.payload = argument.bytes;
    if (wire::is_array(argument.role)) {
      const std::uint64_t place = (random.below(Images::places) + shift) % Images::places;
      image.front = guard_bytes + place * of_allocations + offsets.next();
      // The back zone begins with the very next byte; only its end is rounded. All places take as
      // much memory, so that the place of one array does not move the next.
      const std::size_t all = 2 * guard_bytes + Images::places * of_allocations;
      image.back = all + round_up(argument.bytes) - argument.bytes - image.front;
    }
    image.offset = offset;
    if (is_in_file(argument, contents)) offset += image.bytes();
    layout.push_back(image);
  }
  return layout;
}

// Of the noise of a call's first array. What tests draw has other salts.
constexpr std::uint64_t first_salt = 0x6e6f6973'65000000;

/// Sets the bits of an exponent in each word of some memory.
void set_exponents(std::span<std::byte> bytes, std::uint32_t cleared, std::uint32_t set) {
  for (std::size_t i = 0; i + sizeof set <= bytes.size(); i += sizeof set) {
    std::uint32_t word;
    std::memcpy(&word, &bytes[i], sizeof word);
    word = (word & ~cleared) | set;
    std::memcpy(&bytes[i], &word, sizeof word);
  }
}

/// Fills memory with noise. As a float, each word is so large, or no number, that it makes any
/// result wrong which it goes into.
void fill_loud(std::span<std::byte> bytes, Random& noise) {
  noise.fill(bytes);
  set_exponents(bytes, 0, 0x60000000);
}

/// Fills memory with noise. As a float, each word has a magnitude between 2^17 and 2^18: a result
/// with it in is wrong, and a sum that is added to it still changes it, so it does not look like an
/// element that nobody wrote.
void fill_summand(std::span<std::byte> bytes, Random& noise) {
  noise.fill(bytes);
  set_exponents(bytes, 0x7F800000, 0x48000000);
}

/// Fills the zones before and behind an array. Near the array they hold the same wherever it lies.
void fill_guards(std::span<std::byte> front, std::span<std::byte> back, Random& noise) {
  constexpr std::size_t most = guard_bytes + (Images::places + 1) * of_allocations;
  std::vector<std::byte> widest(most);
  fill_loud(widest, noise);
  std::copy(widest.end() - static_cast<std::ptrdiff_t>(front.size()), widest.end(), front.begin());
  fill_loud(widest, noise);
  std::copy_n(widest.begin(), back.size(), back.begin());
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
               unsigned shift, std::size_t alignment)
    : arguments_(arguments),
      layout_(lay_out(arguments, contents, random, shift, alignment)),
      file_(file_bytes(arguments, layout_, contents), MemoryFile::Writer::judge_only) {
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const wire::Image& image = layout_[i];
    if (!is_in_file(arguments_[i], contents)) continue;
    const std::span<std::byte> all = file_.bytes().subspan(image.offset, image.bytes());
    Random noise(first_salt + i);
    fill_guards(all.first(image.front), all.last(image.back), noise);
    const std::span<std::byte> payload = all.subspan(image.front, image.payload);
    if (wire::is_read(arguments_[i].role)) {
      std::copy_n(arguments_[i].input, image.payload, payload.begin());
    } else if (arguments_[i].element_bytes < sizeof(float)) {
      noise.fill(payload);
    } else {
      fill_summand(payload, noise);
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
