#include "estimator/estimate/job.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "estimator/execution/unknown.h"

namespace tilelab::estimator {

namespace {

// Addresses are rounded up to lines.
constexpr std::uint64_t room_above = 128;

// What CUDA allows, on every GPU so far.
constexpr double most_registers = 255;
constexpr double most_shared_bytes = 228 * 1024;
constexpr std::uint64_t most_threads = 1024;
constexpr std::array<std::uint32_t, 3> largest_grid{0x7fffffff, 65535, 65535};
constexpr std::array<std::uint32_t, 3> largest_block{1024, 1024, 64};

/// Reads the words of a line, and remembers whether one was wrong.
class Words {
 public:
  explicit Words(const std::string& line) : in_(line) {}

  template <class T>
  T next() {
    T value{};
    in_ >> value;
    is_wrong_ |= in_.fail();
    return value;
  }

  std::uint64_t hexadecimal() {
    in_ >> std::hex;
    const auto value = next<std::uint64_t>();
    in_ >> std::dec;
    return value;
  }

  /// The bytes of an array, which ends before the last address.
  std::uint64_t size_from(std::uint64_t address) {
    const auto bytes = next<std::uint64_t>();
    is_wrong_ |= bytes > std::numeric_limits<std::uint64_t>::max() - room_above - address;
    return bytes;
  }

  /// How many threads or blocks lie along x, y and z.
  std::array<std::uint32_t, 3> size() {
    std::array<std::uint32_t, 3> made{};
    for (auto& it : made) {
      it = next<std::uint32_t>();
      is_wrong_ |= it == 0;
    }
    return made;
  }

  /// A number from 0 to `most`.
  double amount(double most) {
    const auto value = next<double>();
    is_wrong_ |= !(value >= 0 && value <= most);
    return value;
  }

  Contents contents() {
    const auto name = next<std::string>();
    if (name == "zeros") return Contents::zeros;
    if (name == "bits") return Contents::bits;
    is_wrong_ |= name != "fractions";
    return Contents::fractions;
  }

  /// What is left of the line, two digits for each byte.
  std::vector<std::uint8_t> bytes() {
    std::string digits;
    in_ >> digits;
    is_wrong_ |= digits.size() % 2 != 0;
    std::vector<std::uint8_t> made(digits.size() / 2);
    for (std::size_t i = 0; i < made.size(); ++i) {
      const char* const begin = digits.data() + 2 * i;
      is_wrong_ |= std::from_chars(begin, begin + 2, made[i], 16).ptr != begin + 2;
    }
    return made;
  }

  /// Whether all words were there and right, and there are no more.
  bool are_right() {
    std::string more;
    return !is_wrong_ && !(in_ >> more);
  }

 private:
  std::istringstream in_;
  bool is_wrong_ = false;
};

Array array_from(Words& words) {
  Array made;
  made.address = words.hexadecimal();
  made.bytes = words.size_from(made.address);
  made.contents = words.contents();
  return made;
}

Kernel kernel_from(Words& words) {
  Kernel made;
  made.registers = words.amount(most_registers);
  made.shared_bytes = words.amount(most_shared_bytes);
  return made;
}

Launch launch_from(Words& words) {
  Launch made;
  made.kernel = words.next<std::string>();
  made.grid = words.size();
  made.block = words.size();
  made.dynamic_shared_bytes = words.amount(std::numeric_limits<double>::max());
  made.parameters = words.bytes();
  return made;
}

bool is_within(const std::array<std::uint32_t, 3>& size,
               const std::array<std::uint32_t, 3>& largest) {
  return size[0] <= largest[0] && size[1] <= largest[1] && size[2] <= largest[2];
}

/// A program that asks for such a launch gets an error instead, and goes on.
bool can_start(const Launch& launch) {
  return is_within(launch.grid, largest_grid) && is_within(launch.block, largest_block) &&
         std::uint64_t{launch.block[0]} * launch.block[1] * launch.block[2] <= most_threads &&
         launch.dynamic_shared_bytes <= most_shared_bytes;
}

}  // namespace

Job read_job(std::istream& in) {
  Job job;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    Words words(line);
    const auto what = words.next<std::string>();
    if (what == "array") {
      job.arrays.push_back(array_from(words));
    } else if (what == "kernel") {
      const auto name = words.next<std::string>();
      job.kernels[name] = kernel_from(words);
    } else if (what == "launch") {
      job.launches.push_back(launch_from(words));
    } else {
      throw std::runtime_error("line " + std::to_string(number) +
                               " does not begin with array, kernel or launch");
    }
    if (!words.are_right()) {
      throw std::runtime_error("line " + std::to_string(number) + " is not a right " + what +
                               " line: " + line);
    }
    if (what == "launch" && !can_start(job.launches.back())) {
      throw Unknown("no GPU starts so large a launch as that of the kernel " +
                    job.launches.back().kernel);
    }
  }
  return job;
}

}  // namespace tilelab::estimator
