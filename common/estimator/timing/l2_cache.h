#pragma once

#include <cstdint>
#include <unordered_map>

namespace tilelab::estimator {

inline constexpr double sector_bytes = 32;

/// Sectors, and the others of their halves of the line: DRAM delivers 64 bytes at least.
std::uint8_t whole_pairs(std::uint8_t sectors);

/// What the blocks of one SM find in the L2 cache, of what they touched before. All
/// SMs fill the cache alike, so each has an equal share of it. A line leaves when as
/// much came in after its last use as the share holds.
class L2Cache {
 public:
  /// @param bytes  the share of one SM
  explicit L2Cache(double bytes) : bytes_(bytes) {}

  /// Takes sectors of a line for loaded.
  /// @param share  of the line's sectors: what this SM brings, not another
  /// @return how many sectors DRAM has to deliver. They come in pairs.
  int load(std::uint64_t line, std::uint8_t sectors, int block, double share);

  /// Takes sectors of a line for stored.
  /// @return how many more sectors have to be written to DRAM, sooner or later
  int store(std::uint64_t line, std::uint8_t sectors, int block, double share);

 private:
  struct Entry {
    std::uint8_t held = 0;    ///< The sectors that the cache holds, a bit each.
    std::uint8_t stored = 0;  ///< Those of them that DRAM does not have yet.
    double used = 0;          ///< How much had come in when the line was last used.
  };

  Entry& use(std::uint64_t line, int block);
  int hold(Entry& it, std::uint8_t sectors, double share);

  double bytes_;
  double came_in_ = 0;
  std::unordered_map<std::uint64_t, Entry> entries_;  ///< by line and block
};

}  // namespace tilelab::estimator
