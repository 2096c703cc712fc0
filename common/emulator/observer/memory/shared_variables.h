#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// The submission's static `__shared__` variables, from the table that compile.sh adds.
namespace tilelab::emulator {

struct SharedVariable {
  std::uint32_t offset;  ///< The distance from the begin of the static arrays.
  std::uint32_t bytes;
  std::string name;
};

class SharedVariables {
 public:
  static const SharedVariables& instance();

  /// All of them, if there is a table.
  const std::vector<SharedVariable>& all() const { return variables_; }

  /// The variable at the offset, or else the nearest one; null if none is known.
  const SharedVariable* nearest(std::uint32_t offset) const;

  /// How many of every 8 bytes of the static arrays belong to a variable: the first n. If there is
  /// no table, all do.
  const std::uint8_t* addressable() const { return addressable_.data(); }

 private:
  SharedVariables();
  void read_table();

  std::vector<SharedVariable> variables_;  ///< Sorted by offset.
  std::vector<std::uint8_t> addressable_;
};

}  // namespace tilelab::emulator
