#include "estimator/execution/touched.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace tilelab::estimator {

namespace {

/// The sectors that a warp touches, each with a bit for every byte, in the order of the lanes.
class TouchedSectors {
 public:
  void touch(std::uint64_t address, int bytes) {
    const std::uint64_t number = address / 32;
    const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << bytes) - 1)
                      << static_cast<std::uint32_t>(address % 32);
    // Most lanes touch the sector of the lane before.
    for (std::size_t i = count_; i > 0; --i) {
      if (sectors_[i - 1].first != number) continue;
      sectors_[i - 1].second |= mask;
      return;
    }
    if (count_ < sectors_.size()) sectors_[count_++] = {number, mask};
  }

  const auto* begin() const { return sectors_.data(); }
  const auto* end() const { return sectors_.data() + count_; }

 private:
  std::array<std::pair<std::uint64_t, std::uint32_t>, 32> sectors_{};
  std::size_t count_ = 0;
};

/// Adds what a step touches of a line to the lines that it touches.
void add_line(Trace& trace, const Step& step, const Line& line) {
  const auto same = std::find_if(trace.lines.begin() + step.first_line, trace.lines.end(),
                                 [&](const Line& it) { return it.number == line.number; });
  if (same == trace.lines.end()) {
    trace.lines.push_back(line);
  } else {
    same->sectors |= line.sectors;
    same->whole |= line.whole;
  }
}

}  // namespace

void add_lines(Trace& trace, Step& step, const WideLanes& addresses, Mask active, int bytes) {
  TouchedSectors sectors;
  for_each_lane(active, [&](std::size_t lane) { sectors.touch(addresses[lane], bytes); });
  step.first_line = static_cast<std::uint32_t>(trace.lines.size());
  for (const auto& [sector, touched] : sectors) {
    const std::uint64_t number = sector / 4;
    const auto bit = static_cast<std::uint8_t>(1U << (sector % 4));
    const std::uint8_t whole = touched == ~0U ? bit : std::uint8_t{0};
    add_line(trace, step, {number, bit, whole});
  }
  step.lines = static_cast<std::uint16_t>(trace.lines.size() - step.first_line);
}

void add_local_lines(Trace& trace, Step& step, const Lanes& addresses, Mask active, int bytes,
                     std::uint32_t warp) {
  step.first_line = static_cast<std::uint32_t>(trace.lines.size());
  for_each_lane(active, [&](std::size_t lane) {
    for (std::uint32_t at = 0; at < static_cast<std::uint32_t>(bytes); at += 4) {
      const std::uint64_t number = local_line(warp, (addresses[lane] + at) / 4);
      const auto bit = static_cast<std::uint8_t>(1U << (lane / 8));
      add_line(trace, step, {number, bit, bit});
    }
  });
  step.lines = static_cast<std::uint16_t>(trace.lines.size() - step.first_line);
}

std::uint16_t count_words(const WideLanes& addresses, Mask active) {
  std::array<std::uint64_t, 32> words{};
  std::size_t count = 0;
  for_each_lane(active, [&](std::size_t lane) { words[count++] = addresses[lane] / 4; });
  const auto end = words.begin() + static_cast<std::ptrdiff_t>(count);
  std::sort(words.begin(), end);
  return static_cast<std::uint16_t>(std::unique(words.begin(), end) - words.begin());
}

std::uint16_t passes_of(const WideLanes& addresses, Mask active, int bytes, report::AccessKind kind,
                        bool is_increment) {
  costs::LaneAddresses access{};
  access.lanes = active;
  for_each_lane(active, [&](std::size_t lane) {
    access.addresses[access.count++] = static_cast<std::uint32_t>(addresses[lane]);
  });
  return static_cast<std::uint16_t>(
      costs::shared_cost_of(access, kind, static_cast<unsigned>(bytes), is_increment).wavefronts);
}

}  // namespace tilelab::estimator
