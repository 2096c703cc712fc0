#pragma once

#include <vector>

#include "judge/calls/arguments.h"
#include "judge/calls/random.h"
#include "judge/events.h"
#include "judge/worker/memory_file.h"

namespace tilelab::judge {

/// The arrays of one call as the worker gets them. Every array lies between two guard zones,
/// outputs are full of noise, and addresses differ from call to call. What the function returns has
/// room behind them. The noise next to an array and in it is the same in each call: a result that
/// comes from there would else seem to depend on the order of the threads, which differs, too.
class Images {
 public:
  /// What the file holds.
  enum class Contents {
    inputs_and_outputs,  ///< Arrays that are read, and the noise that fills the others.
    inputs_only          ///< Arrays that are read; the others only get room on the device.
  };

  /// The places where an array may begin.
  static constexpr unsigned places = 64;

  /// The arrays of a call begin at multiples of this, or of less if they need not.
  static constexpr std::size_t usual_alignment = 16;

  /// @param shift      moves each array by this many places from the one that is drawn
  /// @param alignment  arrays may begin at any multiple of this many bytes. If those are fewer than
  ///                   usual, half of the calls have such arrays: code for aligned ones may differ.
  Images(const std::vector<CallArgument>& arguments, Contents contents, Random& random,
         unsigned shift = 0, std::size_t alignment = usual_alignment);

  /// Writes the layout and the scalars into a request.
  void describe_in(wire::Request& request) const;

  const MemoryFile& file() const { return file_; }

  /// A payload in this file, or in a results file of the same layout.
  std::span<const std::byte> payload(std::size_t argument, const MemoryFile& file) const;

  /// What the results show to be changed and should not be: guard zones and inputs. There is at
  /// most one message per array.
  std::vector<Message> violations(const Function& function, const MemoryFile& results) const;

 private:
  std::vector<CallArgument> arguments_;
  std::vector<wire::Image> layout_;
  MemoryFile file_;
};

}  // namespace tilelab::judge
