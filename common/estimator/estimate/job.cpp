#include "estimator/estimate/job.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace tilelab::estimator {

namespace {

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

  /// How many threads or blocks lie along x, y and z.
  std::array<std::uint32_t, 3> size() {
    std::array<std::uint32_t, 3> made{};
    for (auto& it : made) {
      it = next<std::uint32_t>();
      is_wrong_ |= it == 0;
    }
    return made;
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
  made.bytes = words.next<std::uint64_t>();
  made.contents = words.contents();
  return made;
}

Kernel kernel_from(Words& words) {
  Kernel made;
  made.registers = words.next<double>();
  made.shared_bytes = words.next<double>();
  return made;
}

Launch launch_from(Words& words) {
  Launch made;
  made.kernel = words.next<std::string>();
  made.grid = words.size();
  made.block = words.size();
  made.dynamic_shared_bytes = words.next<double>();
  made.parameters = words.bytes();
  return made;
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
  }
  return job;
}

}  // namespace tilelab::estimator
