#pragma once

#include <cstdint>
#include <string>

#include "judge/calls/images.h"
#include "judge/speed/gpu_clock.h"
#include "judge/speed/speed_problem.h"
#include "judge/worker/worker.h"

namespace tilelab::judge {

/// Seconds per launch, and the GPU's clock meanwhile.
struct SpeedSample {
  double judge = 0;         ///< A launch in a batch, by the judge's clock, which is what counts.
  double device = 0;        ///< A launch in the same batch, by the worker's device events.
  double cold = 0;          ///< A launch alone and with an empty L2 cache, by device events.
  ClockReading clock = {};  ///< The GPU's clock in the middle of the batch.
};

/// The conversation with one worker over one timed problem.
///
/// A batch of launches uses several sets of buffers in turn, whose outputs are overwritten first.
/// The judge's clock runs from the request until a randomly chosen piece of the results is here.
class Contender {
 public:
  /// Starts the worker of this name. The problem and the clock must outlive this object.
  Contender(const std::string& name, const SpeedProblem& problem, const GpuClock& clock);

  /// Takes a sample on new inputs. Throws SubmissionError if a launch left a wrong result.
  SpeedSample measure(const Images& images, Random& random);

 private:
  struct Timed {
    double judge;
    double device;
  };
  /// Elements of an output of one of the sets.
  struct Piece {
    const CallArgument& argument;
    std::uint32_t set;
    std::size_t index;  // of the argument
    std::size_t first;
    std::size_t count;

    std::size_t bytes() const { return count * argument.element_bytes; }
  };
  enum class Check { samples, everything };

  void load(const Images& images);
  void unload();
  void choose_launches(Random& random);
  Timed run(std::uint32_t launches, Check check, Random& random);
  Piece choose_piece(std::uint32_t set, std::size_t most_bytes, Random& random) const;
  void check_all(std::uint32_t set);
  void check_piece(const Piece& piece);
  void download(const Piece& piece, const MemoryFile& results);
  void assert_right(const Piece& piece, const MemoryFile& results) const;
  wire::Request request(wire::Command command) const;
  wire::Reply ask(const wire::Request& request, double seconds, const MemoryFile* images = nullptr,
                  const MemoryFile* results = nullptr);

  Worker& worker_;
  const SpeedProblem& problem_;
  const GpuClock& clock_;
  std::string subject_;
  std::uint32_t sets_;
  std::uint32_t launches_ = 0;
  int samples_ = 0;
  int checked_in_full_;
};

}  // namespace tilelab::judge
