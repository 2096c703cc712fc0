#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
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
    std::uint32_t graph = 0;   ///< The number of the run of a graph that it is a part of, or 0.

    bool comes_after(const Work& other) const { return is_done(other, known); }
  };

  StreamClocks();

  /// Whether there is any stream but the default one.
  bool has_streams() const { return has_streams_; }
  void created(cudaStream_t stream, bool waits_for_default);
  Work begin_work(cudaStream_t stream);
  void record(cudaEvent_t event, cudaStream_t stream) { events_[event] = clock_of(stream); }
  void wait(cudaStream_t stream, cudaEvent_t event);
  /// The steps of a graph are as streams of their own, each of which waits for those before it.
  /// What a graph in a graph does belongs to the step that runs it. The runs of one executable
  /// graph come one after the other, in whatever streams.
  void graph_begins(cudaStream_t stream, const void* executable, bool branches);
  void graph_step_begins(std::span<const std::size_t> after);
  void graph_ends();
  void host_waits(cudaStream_t stream) { join(host_, clock_of(stream)); }
  void host_waits_for_event(cudaEvent_t event);
  void host_waits_for_device();
  /// Whether the host has waited for the work.
  bool host_knows(const Work& work) const { return is_done(work, host_); }
  static bool is_done(const Work& work, const Clock& known) {
    return work.stream < known.size() && known[work.stream] >= work.number;
  }
  /// The host has seen in another way that the work got that far.
  void host_saw(const Work& work) { see(host_, work); }
  /// A function of the host that is work of a stream has run. It may tell what it knows.
  void function_ends(const Clock& done) { join(told_, done); }
  /// The host uses an atomic variable or a mutex, and may learn what such functions tell.
  void host_synchronizes() { join(host_, told_); }
  /// Adds a piece of work, and what it comes after, to what is known to be done.
  static void see(Clock& known, const Work& work);

 private:
  struct Stream {
    Clock clock;
    bool waits_for_default;
  };

  struct Executable {
    std::vector<unsigned> streams;  ///< By step.
    Clock done;                     ///< When its runs so far are done.
  };

  struct Graph {
    unsigned stream;
    Executable* executable;
    Clock before;              ///< What is done before its first steps begin.
    std::vector<Clock> steps;  ///< By step: what is done when it is done.
    unsigned inner = 0;        ///< Of the graphs in the step that runs now, how many run.
  };

  // Programs that make a new graph or thread for each piece of work would have too many streams.
  static constexpr std::size_t most_executables = 64, most_threads = 64;

  static void join(Clock& clock, const Clock& other);
  /// The next work of a stream that knows so much.
  Work next_work(unsigned stream, Clock known);
  unsigned number_of(cudaStream_t stream);
  /// The default stream of the running thread of the host.
  unsigned number_of_thread();
  /// What is done when all work that the stream has now is done.
  Clock clock_of(cudaStream_t stream);

  bool has_streams_ = false;
  std::vector<Stream> streams_;  ///< The legacy default stream is the first.
  std::map<cudaStream_t, unsigned> numbers_;
  /// The default streams of threads, by their numbers. The legacy one is that of too many.
  std::map<pid_t, unsigned> of_threads_;
  std::map<cudaEvent_t, Clock> events_;
  std::optional<Graph> graph_;
  std::uint32_t graphs_ = 0;  ///< How many have run.
  std::map<const void*, Executable> executables_;
  Clock host_;
  Clock told_;
};

}  // namespace tilelab::emulator
