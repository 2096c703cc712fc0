#pragma once

/// cuda::barrier in shared memory.

#include <climits>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "cuda_runtime.h"
#include "emulated/async/barrier_functions.h"
#include "emulated/async/shapes.h"

namespace cuda {

using tilelab::emulator::Site;

template <thread_scope scope>
class barrier;

template <thread_scope scope>
void init(barrier<scope>* place, std::ptrdiff_t expected, Site site = Site::current());

template <thread_scope scope>
class barrier {
  static_assert(scope == thread_scope_block || scope == thread_scope_thread,
                "the emulator has barriers of a block only: use thread_scope_block");

 public:
  class arrival_token {
   public:
    arrival_token() = default;

   private:
    explicit arrival_token(std::uint64_t phases) : phases_(phases) {}
    std::uint64_t phases_ = 0;  // this many must have ended
    friend class barrier;
  };

  barrier() = default;
  explicit barrier(std::ptrdiff_t expected, Site site = Site::current()) {
    init(this, expected, site);
  }
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;

  [[nodiscard]] arrival_token arrive(std::ptrdiff_t count = 1, Site site = Site::current()) {
    return arrival_token(
        tilelab::emulator::arrive_at_barrier(this, static_cast<unsigned>(count), false, 0, site));
  }
  void wait(arrival_token&& token, Site site = Site::current()) const {
    tilelab::emulator::wait_for_phases(this, token.phases_, site);
  }
  void arrive_and_wait(Site site = Site::current()) {
    const std::uint64_t phases = tilelab::emulator::arrive_at_barrier(this, 1, false, 0, site);
    tilelab::emulator::wait_for_phases(this, phases, site);
  }
  void arrive_and_drop(Site site = Site::current()) {
    tilelab::emulator::arrive_at_barrier(this, 1, true, 0, site);
  }
  /// Whether the phase has ended. The emulator does not measure the time.
  template <class Duration>
  [[nodiscard]] bool try_wait_for(arrival_token&& token, const Duration&,
                                  Site site = Site::current()) const {
    return tilelab::emulator::try_wait_for_phases(this, token.phases_, site);
  }
  /// Waits for the phase of this parity, the current one or the one before.
  void wait_parity(bool parity, Site site = Site::current()) const {
    tilelab::emulator::wait_for_phases(this, phases_until(parity, site), site);
  }
  template <class Duration>
  [[nodiscard]] bool try_wait_parity_for(bool parity, const Duration&,
                                         Site site = Site::current()) const {
    return tilelab::emulator::try_wait_for_phases(this, phases_until(parity, site), site);
  }
  static constexpr std::ptrdiff_t(max)() { return (1 << 20) - 1; }

  /// What the rewriter makes of an explicit call of the destructor.
  void tilelab_invalidate(Site site = Site::current()) {
    tilelab::emulator::invalidate_barrier(this, site);
  }

  /// The token of an arrival that also announces bytes.
  arrival_token tilelab_arrive_tx(unsigned count, std::int64_t bytes, Site site) {
    return arrival_token(tilelab::emulator::arrive_at_barrier(this, count, false, bytes, site));
  }

 private:
  /// How many phases must have ended for one of this parity, of the current one and the one before.
  std::uint64_t phases_until(bool parity, Site site) const {
    const std::uint64_t ended = tilelab::emulator::ended_phases(this, site);
    return ended % 2 == parity ? ended + 1 : ended;
  }

  std::uint64_t state_;
};

template <thread_scope scope>
void init(barrier<scope>* place, std::ptrdiff_t expected, Site site) {
  tilelab::emulator::initialize_barrier(place, static_cast<unsigned>(expected), site);
}

namespace device {

template <thread_scope scope>
std::uint64_t* barrier_native_handle(barrier<scope>& place) {
  return reinterpret_cast<std::uint64_t*>(&place);
}
template <thread_scope scope>
[[nodiscard]] auto barrier_arrive_tx(barrier<scope>& place, std::ptrdiff_t count,
                                     std::ptrdiff_t bytes, Site site = Site::current()) {
  return place.tilelab_arrive_tx(static_cast<unsigned>(count), bytes, site);
}
template <thread_scope scope>
void barrier_expect_tx(barrier<scope>& place, std::ptrdiff_t bytes, Site site = Site::current()) {
  tilelab::emulator::expect_bytes_at_barrier(&place, bytes, site);
}

}  // namespace device

}  // namespace cuda
