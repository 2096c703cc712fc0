#include "estimator/timing/cache.h"

#include <algorithm>

namespace tilelab::estimator {

Cache::Cache(double bytes) : most_lines_(static_cast<std::size_t>(std::max(bytes, 4096.0) / 128)) {}

Cache::Found Cache::find(std::uint64_t line, std::uint8_t sectors) {
  const auto at = places_.find(line);
  if (at == places_.end()) return {0, 0};
  entries_.splice(entries_.begin(), entries_, at->second);
  return {static_cast<std::uint8_t>(at->second->sectors & sectors), at->second->ready};
}

void Cache::add(std::uint64_t line, std::uint8_t sectors, double ready) {
  const auto at = places_.find(line);
  if (at != places_.end()) {
    at->second->sectors |= sectors;
    at->second->ready = std::max(at->second->ready, ready);
    return;
  }
  entries_.push_front({line, sectors, ready});
  places_[line] = entries_.begin();
  if (entries_.size() > most_lines_) {
    places_.erase(entries_.back().line);
    entries_.pop_back();
  }
}

}  // namespace tilelab::estimator
