#pragma once

#include <span>
#include <string>
#include <vector>

#include "judge/calls/arguments.h"
#include "judge/calls/images.h"
#include "judge/calls/random.h"
#include "judge/calls/results.h"
#include "judge/options.h"
#include "judge/worker/memory_file.h"
#include "judge/worker/worker.h"

namespace tilelab::judge {

/// One call of a function: the images that the worker gets, the file that it fills, and what came
/// back in it.
class Call {
 public:
  /// @param random       draws the images and the seed of a random order of threads
  /// @param report_room  is how many bytes the worker may fill with a report
  /// @param shift        tells calls apart for which `random` draws the same: it moves the arrays
  ///                     by this many places, and changes the seed
  /// @param alignment    arrays may begin at any multiple of this many bytes
  Call(const Function& function, const std::vector<CallArgument>& arguments, Random& random,
       std::size_t report_room = 0, unsigned shift = 0,
       std::size_t alignment = options().alignment);

  /// Has a worker make the call. Command, order and detail of the request must be set.
  /// Throws what Worker::ask() throws.
  wire::Reply ask(Worker& worker, wire::Request request) const;

  /// Describes the call: "diff(int[33], int[33], 33)".
  const std::string& subject() const { return subject_; }

  /// What the outputs hold.
  RunResult result() const;

  /// What was changed and should not be.
  std::vector<Message> violations() const { return images_.violations(function_, results_); }

  /// The bytes that a report may fill.
  std::span<const std::byte> report_room() const;

 private:
  Function function_;
  std::vector<CallArgument> arguments_;
  Images images_;
  MemoryFile results_;
  std::uint64_t order_seed_;
  std::string subject_;
};

}  // namespace tilelab::judge
