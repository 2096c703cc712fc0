#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "driver_types.h"

namespace tilelab::emulator {

/// What orders the work that a program gives to its streams: the order of a stream, events, waits
/// of the host, and the default stream, for which other streams wait and which waits for them.
class StreamClocks {
 public:
  /// By stream: how much of its work is known to be done.
  using Clock = std::vector<std::uint32_t>;

  /// A piece of work: a launch, a copy, or a memset.
  struct Work {
    unsigned stream = 0;
    std::uint32_t number = 0;  ///< In its stream.
    Clock known;               ///< What is done before it begins.

    bool comes_after(const Work& other) const {
      return other.stream < known.size() && known[other.stream] >= other.number;
    }
  };

  StreamClocks();

  /// Whether there is any stream but the default one.
  bool has_streams() const { return has_streams_; }
  void created(cudaStream_t stream, bool waits_for_default);
  Work begin_work(cudaStream_t stream);
  void record(cudaEvent_t event, cudaStream_t stream) { events_[event] = clock_of(stream); }
  void wait(cudaStream_t stream, cudaEvent_t event);
  void host_waits(cudaStream_t stream) { join(host_, clock_of(stream)); }
  void host_waits_for_event(cudaEvent_t event);
  void host_waits_for_device();

 private:
  struct Stream {
    Clock clock;
    bool waits_for_default;
  };

  static void join(Clock& clock, const Clock& other);
  unsigned number_of(cudaStream_t stream);
  /// What is done when all work that the stream has now is done.
  Clock clock_of(cudaStream_t stream);

  bool has_streams_ = false;
  std::vector<Stream> streams_;  ///< The default stream is the first.
  std::map<cudaStream_t, unsigned> numbers_;
  std::map<cudaEvent_t, Clock> events_;
  Clock host_;
};

}  // namespace tilelab::emulator
