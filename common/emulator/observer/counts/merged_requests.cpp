#include "emulator/observer/counts/merged_requests.h"

#include <algorithm>
#include <bit>

namespace tilelab::emulator {

using costs::WavefrontCost;

namespace {

WavefrontCost shared_cost_of(const WarpAccess& access) {
  return costs::shared_cost_of(access, access.kind(), access.bytes(), false);
}

unsigned offset_of(const WarpAccess& access, unsigned period) { return access.address(0) % period; }

/// Whether nvcc could know where in its aligned 16 bytes the access begins: it is the same place
/// for all lanes.
bool is_aligned_alike(const WarpAccess& access, unsigned period) {
  if (access.is_regular) return access.count == 1 || access.stride % period == 0;
  for (unsigned i = 1; i < access.count; ++i) {
    if (access.address(i) % period != offset_of(access, period)) return false;
  }
  return true;
}

/// Whether each lane's address is its address in `first` plus `bytes`.
bool follows(const WarpAccess& access, const WarpAccess& first, unsigned bytes) {
  if (access.warp != first.warp || access.lanes != first.lanes || access.bytes() != first.bytes() ||
      kind_of(access.code) != kind_of(first.code)) {
    return false;
  }
  if (access.is_regular && first.is_regular) {
    return access.first == first.first + bytes && access.stride == first.stride;
  }
  for (unsigned i = 0; i < access.count; ++i) {
    if (access.address(i) != first.address(i) + bytes) return false;
  }
  return true;
}

/// The same lanes' access to `bytes` bytes, `offset` after those of `first`.
WarpAccess widened(const WarpAccess& first, unsigned offset, unsigned bytes) {
  WarpAccess access = first;
  access.code = make_code(place_of(first.code), kind_of(first.code),
                          static_cast<unsigned>(std::countr_zero(bytes)));
  access.first += offset;
  if (!first.is_regular) {
    for (unsigned i = 0; i < access.count; ++i) access.addresses[i] += offset;
  }
  return access;
}

}  // namespace

MergedRequests::Run* MergedRequests::run_before(const WarpAccess& access) {
  for (std::size_t i = 0; i < count_; ++i) {
    if (follows(access, runs_[i].first, runs_[i].bytes)) return &runs_[i];
  }
  return nullptr;
}

void MergedRequests::take(const WarpAccess& access, std::size_t number, const WavefrontCost& cost) {
  const unsigned bytes = access.bytes();
  if (count_ > 0 && runs_[0].first.warp != access.warp) end();
  if (bytes >= widest || is_special(access.code) || !is_aligned_alike(access, widest)) {
    return sink_(number, {1, cost.wavefronts, cost.ideal});
  }
  Run* run = run_before(access);
  if (run == nullptr) {
    if (count_ == most_runs) finish(0);
    run = &runs_[count_++];
    *run = {access, number, 0, {}};
  }
  run->bytes += bytes;
  run->alone.requests += 1;
  run->alone.wavefronts += cost.wavefronts;
  run->alone.ideal += cost.ideal;
  const bool is_complete = (offset_of(run->first, widest) + run->bytes) % widest == 0;
  if (is_complete) finish(static_cast<std::size_t>(run - runs_.data()));
}

void MergedRequests::end() {
  while (count_ > 0) finish(0);
}

WavefrontCost MergedRequests::cost_of(const WarpAccess& access) {
  auto& known_costs = access.kind() == AccessKind::load ? known_loads_ : known_stores_;
  KnownCost& known = known_costs[access.bytes()];
  if (!known.pattern.repeats(access, costs::bank_bytes)) known.cost = shared_cost_of(access);
  return known.cost;
}

void MergedRequests::finish(std::size_t index) {
  const Run run = runs_[index];
  std::move(runs_.begin() + static_cast<std::ptrdiff_t>(index) + 1,
            runs_.begin() + static_cast<std::ptrdiff_t>(count_),
            runs_.begin() + static_cast<std::ptrdiff_t>(index));
  --count_;
  if (run.alone.requests == 1) return sink_(run.number, run.alone);
  MergedCost merged;
  for (unsigned done = 0; done < run.bytes;) {
    // The largest aligned piece of what is left.
    const unsigned begin = offset_of(run.first, widest) + done;
    const unsigned aligned = begin == 0 ? widest : begin & -begin;
    const unsigned piece = std::min(aligned, std::bit_floor(run.bytes - done));
    const WavefrontCost cost = cost_of(widened(run.first, done, piece));
    merged.requests += 1;
    merged.wavefronts += cost.wavefronts;
    merged.ideal += cost.ideal;
    done += piece;
  }
  sink_(run.number, merged);
}

}  // namespace tilelab::emulator
