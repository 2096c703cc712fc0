#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "schema/contents.h"

namespace tilelab::estimator {

using schema::Contents;

/// Where the program's variables lie, one in each 64 KiB.
constexpr std::uint64_t variables = 0x7e0000000000;

/// Whether an address is one of a variable, if there are no more than 256 of them.
constexpr bool is_variable(std::uint64_t address) { return address - variables < 1U << 24U; }

/// An array in global memory.
struct Array {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  Contents contents = Contents::fractions;
};

/// Which values of global memory count as unknown.
enum class Doubt : std::uint8_t {
  computed,     ///< what an earlier launch computed in a block that was not executed here
  meaningless,  ///< and zeros where the program stores something else before it loads
  all,          ///< everything, to see what depends on any
};

/// Global memory: what was stored, and made-up contents where nothing was.
class Memory {
 public:
  explicit Memory(std::vector<Array> arrays) : arrays_(std::move(arrays)) {}

  /// Loads 1, 2 or 4 bytes. More than 4 are loaded word by word.
  std::uint32_t load(std::uint64_t address, int bytes) const;

  void store(std::uint64_t address, std::uint32_t value, int bytes);

  /// The word that an address is in.
  std::uint32_t word(std::uint64_t address) const;

  /// The bytes of the program's constants, which lie in bank 3 of constant memory.
  void set_constants(std::vector<std::uint8_t> bytes) { constants_ = std::move(bytes); }
  /// A word of them. Those that nobody gave are taken to be 0.5.
  std::uint32_t constant(std::uint64_t offset) const;

  /// Calls `function(address, word)` for each word that was stored, in any order.
  template <class Function>
  void for_each_stored(Function function) const {
    for (const auto& [place, word] : stored_) function(place << 2U, word);
  }

  /// How many words were stored.
  std::size_t count_stored() const { return stored_.size(); }

  const std::vector<Array>& arrays() const { return arrays_; }

  /// The array that an address is in, or -1.
  int array_at(std::uint64_t address) const;

  Doubt doubt = Doubt::computed;

  /// From now on, an array holds what an earlier launch wrote, of which only a part is known.
  void set_computed(int array) { computed_.insert(array); }

  /// From now on, an array that holds more than made-up contents.
  void set_written(int array) { written_.insert(array); }

  /// Whether nobody knows a word.
  bool is_unknown(std::uint64_t address) const;

 private:
  std::uint32_t made_up(std::uint64_t address) const;

  std::vector<Array> arrays_;
  std::vector<std::uint8_t> constants_;
  std::set<int> computed_{-1};  // what lies in no array is a variable, which a launch computed
  std::set<int> written_;
  std::unordered_map<std::uint64_t, std::uint32_t> stored_;  // words, by a fourth of the address
};

}  // namespace tilelab::estimator
