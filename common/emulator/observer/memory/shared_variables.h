#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// The submission's static `__shared__` variables, as compile.sh's table tells of them.
namespace tilelab::emulator {

struct SharedVariable {
  std::uint32_t offset;  ///< in the static arrays
  std::uint32_t bytes;
  std::string name;
};

class SharedVariables {
 public:
  static const SharedVariables& instance();

  /// The one that the offset is in, or else nearest to; null if none is known.
  const SharedVariable* nearest(std::uint32_t offset) const;

  /// For every 8 bytes of the static arrays, how many belong to a variable: the first n. Where
  /// there is no table, all of them.
  const std::uint8_t* addressable() const { return addressable_.data(); }

 private:
  SharedVariables();
  void read_table();

  std::vector<SharedVariable> variables_;  ///< by offset
  std::vector<std::uint8_t> addressable_;
};

}  // namespace tilelab::emulator
