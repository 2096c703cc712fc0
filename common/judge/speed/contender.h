#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "judge/speed/gpu_clock.h"
#include "judge/speed/round_inputs.h"
#include "judge/speed/speed_problem.h"
#include "judge/worker/worker.h"

namespace tilelab::judge {

/// Seconds per launch, and the GPU's clock meanwhile.
struct SpeedSample {
  double judge = 0;         ///< A launch in a batch, by the judge's clock, which is what counts.
  double device = 0;        ///< A launch in the same batch, by the worker's device events.
  double cold = 0;          ///< A launch alone and with an empty L2 cache, by device events.
  double warm = 0;          ///< A launch in the shorter batch before, by the judge's clock.
  double turn = 0;          ///< The changes before a launch. The other times include them. With
                            ///< inputs of their own, only the shorter batch makes them.
  ClockReading clock = {};  ///< The GPU's clock in the middle of the batch.
};

/// What keeps a launch from using what an earlier one computed.
enum class Freshness {
  none,        ///< Nothing: the lab's own kernels do not cheat. Arrays that a launch reads and
               ///< writes still get back what they held at first.
  own_inputs,  ///< Each launch of a round has inputs and outputs of its own.
  turns        ///< Before each launch, some of its inputs and outputs change; see contract/turn.h.
};

/// The way for a problem that is graded: inputs of their own if drawing and uploading them takes
/// less time than the launches, turns otherwise.
Freshness freshness_for(const SpeedProblem& problem);

/// The conversation with one worker over one timed problem.
///
/// A batch of launches uses several sets of buffers. The judge's clock runs from the request until
/// a randomly chosen piece of the results is here. All outputs are full of noise before it starts.
class Contender {
 public:
  /// Starts the worker of this name. The problem and the clock must outlive this object.
  Contender(const std::string& name, const SpeedProblem& problem, const GpuClock& clock,
            Freshness freshness);

  /// Takes a sample on new inputs. Throws SubmissionError if a launch left a wrong result.
  SpeedSample measure(RoundInputs& inputs, Random& random);

 private:
  struct Timed {
    double judge;
    double device;
  };
  /// What a launch worked on.
  struct Launch {
    std::uint32_t set;
    std::uint32_t draw;  // of the round's inputs
    std::uint64_t seed;  // of the changes in them
  };
  using Batch = std::vector<Launch>;
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

  std::uint32_t most_sets() const;
  std::uint32_t sets_for(std::uint32_t launches) const;
  void choose_launches(RoundInputs& inputs, Random& random);
  void load(std::uint32_t sets, std::uint32_t first_draw, RoundInputs& inputs);
  void load(const Images& images, std::uint32_t sets);
  void prepare(Random& random);

  Timed run(std::uint32_t launches, Check check, RoundInputs& inputs, Random& random);
  double warm_up(Random& random);
  double time_turns(Random& random);
  wire::Reply start(Batch& batch, std::uint32_t launches, std::uint32_t originals, Random& random);
  wire::Reply start_some(Batch& batch, std::uint32_t some, std::uint32_t launches,
                         std::uint32_t originals, std::uint64_t seed);

  void check_samples(const Batch& batch, RoundInputs& inputs, Random& random);
  void check_sample(const Launch& launch, std::uint32_t number, std::uint64_t next_seed);
  void check_kept_elements(const Launch& launch, std::uint64_t next_seed,
                           std::span<const std::byte> kept, std::size_t sample_bytes);
  Piece choose_piece(std::uint32_t set, std::size_t most_bytes, Random& random) const;
  void check_all(std::uint32_t set);
  void check_piece(const Piece& piece);
  void download(const Piece& piece, const MemoryFile& results);
  void assert_right(const Piece& piece, std::span<const std::byte> bytes) const;

  wire::Request request(wire::Command command) const;
  wire::Reply ask(const wire::Request& request, double seconds, const MemoryFile* images = nullptr,
                  const MemoryFile* results = nullptr);

  Worker& worker_;
  const SpeedProblem& problem_;
  const GpuClock& clock_;
  std::string subject_;
  Freshness freshness_;
  std::uint32_t sets_ = 0;  // that launches use
  std::uint32_t next_set_ = 0;
  std::uint32_t originals_ = 0;   // the set that no launch uses, or 0
  std::uint32_t first_draw_ = 0;  // of the first set
  std::uint32_t launches_ = 0;
  int samples_ = 0;
  int checked_in_full_;
};

}  // namespace tilelab::judge
