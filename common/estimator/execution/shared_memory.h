#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilelab::estimator {

/// The shared memory of a block. Accesses outside are ignored: whoever looks for them finds them in
/// the checked build.
class SharedMemory {
 public:
  explicit SharedMemory(std::size_t bytes) : bytes_(bytes) {}

  /// Loads 1, 2 or 4 bytes. More than 4 are loaded word by word.
  std::uint32_t load(std::uint64_t address, int bytes) const;

  void store(std::uint64_t address, std::uint32_t value, int bytes);

  /// Whether nobody knows the value of the word.
  bool is_unknown(std::uint64_t address) const;
  void set_unknown(std::uint64_t address, bool is_unknown);

 private:
  std::vector<std::uint8_t> bytes_;
  std::vector<bool> unknown_{};  // for each word; empty if all are known
};

}  // namespace tilelab::estimator
