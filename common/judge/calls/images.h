#pragma once

#include <vector>

#include "judge/calls/arguments.h"
#include "judge/calls/random.h"
#include "judge/events.h"
#include "judge/worker/memory_file.h"

namespace tilelab::judge {

/// The arrays of one call as the worker gets them: every array between two guard zones, outputs
/// full of noise, at addresses that differ from call to call.
class Images {
 public:
  enum class Contents {
    inputs_and_outputs,
    inputs_only,  ///< outputs get room on the device, but nothing to be filled with
  };

  /// Without guard zones every array is an allocation of its own, whose bounds an observer knows.
  enum class Guards { around_arrays, none };

  Images(const std::vector<CallArgument>& arguments, Contents contents, Random& random,
         Guards guards = Guards::around_arrays);

  /// Writes layout and scalars into a request.
  void describe_in(wire::Request& request) const;

  const MemoryFile& file() const { return file_; }

  /// A payload in this file, or in a results file of the same layout.
  std::span<const std::byte> payload(std::size_t argument, const MemoryFile& file) const;

  /// Sentences on everything that `results` shows to be changed and should not be: guard zones and
  /// inputs. At most one per array.
  std::vector<Message> violations(const Function& function, const MemoryFile& results) const;

 private:
  std::vector<CallArgument> arguments_;
  std::vector<wire::Image> layout_;
  MemoryFile file_;
};

}  // namespace tilelab::judge
