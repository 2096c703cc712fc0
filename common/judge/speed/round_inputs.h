#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "contract/turn.h"
#include "judge/calls/images.h"
#include "judge/calls/random.h"
#include "judge/speed/speed_problem.h"

namespace tilelab::judge {

/// The inputs of one problem in one round, the same for all contenders: any number of draws. Each
/// is made when it is first asked for.
class RoundInputs {
 public:
  /// The problem must outlive this object.
  RoundInputs(const SpeedProblem& problem, Random& random);
  ~RoundInputs();
  RoundInputs(const RoundInputs&) = delete;
  RoundInputs& operator=(const RoundInputs&) = delete;

  /// The images of a draw.
  const Images& images(std::uint32_t draw);

  /// Puts a draw into the problem's arrays, with the changes of a turn's seed (see
  /// contract/turn.h; 0 changes nothing), so that the problem can say what is right for them.
  void show(std::uint32_t draw, std::uint64_t seed);

  /// Lets the problem work out what is right for what is shown, if it has not done so yet.
  void expect();

 private:
  void change(std::uint64_t seed);
  void take_back_changes();
  /// Writes one of the original elements where each change of a seed is.
  void write_changes(std::uint64_t seed, std::uint64_t turn::Change::*original_place);

  const SpeedProblem& problem_;
  std::uint64_t salt_;
  std::map<std::uint32_t, Images> images_;
  std::uint32_t shown_ = std::numeric_limits<std::uint32_t>::max();
  std::uint64_t shown_seed_ = 0;
  bool is_expected_ = false;
};

}  // namespace tilelab::judge
