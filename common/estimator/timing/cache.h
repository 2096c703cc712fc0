#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <unordered_map>

namespace tilelab::estimator {

/// The L1 cache: lines of 128 bytes, of which the one that was unused longest goes first.
class Cache {
 public:
  explicit Cache(double bytes);

  struct Found {
    std::uint8_t hits;  ///< The sectors that the cache holds, a bit each.
    double ready;       ///< The cycle in which they have all arrived.
  };

  /// Looks for sectors of a line, and takes it for used.
  Found find(std::uint64_t line, std::uint8_t sectors);

  /// Adds sectors that arrive in the cycle `ready`.
  void add(std::uint64_t line, std::uint8_t sectors, double ready);

 private:
  struct Entry {
    std::uint64_t line;
    std::uint8_t sectors;
    double ready;
  };

  std::size_t most_lines_;
  std::list<Entry> entries_;  ///< the last used first
  std::unordered_map<std::uint64_t, std::list<Entry>::iterator> places_;
};

}  // namespace tilelab::estimator
