#pragma once

#include <cstdint>
#include <vector>

#include "contract/failed_call.h"
#include "judge/calls/arguments.h"

namespace tilelab {
namespace judge {

/// What calls of a function left behind for those after them.
class LeftBehind {
 public:
  /// Adds what one more call left.
  void add(const FailedCall& call);

  /// Fails the test if each of many calls left something. A few may keep it for later calls.
  void assert_few(const Function& function) const;

 private:
  std::uint32_t calls_ = 0, streams_ = 0, events_ = 0, pinned_ = 0;
};

/// Does the work of check_returns_errors(), below, without types.
void check_returns_errors(const Function& function, const std::vector<CallArgument>& arguments);

/// Does the work of check_returns_drawn_error(), below, without types.
void check_returns_drawn_error(int earlier, const Function& function,
                               const std::vector<CallArgument>& arguments);

/// Does the work of check_leaves_nothing(), below, without types.
void check_leaves_nothing(const Function& function, const std::vector<CallArgument>& arguments);

}  // namespace judge

/// Calls F of the submission, which returns a cudaError_t, once for each CUDA call in it and for
/// each error that this call can come to: then the call fails with that error. An allocation, a
/// copy and a launch fail at once; a kernel fails later, and the next call that waits for it says
/// so. Fails the test unless F returns the error, makes no call after it but those that free or
/// destroy something, and leaves no more device memory, streams and events than without the error.
///
/// Where calls cannot be made to fail, as on a GPU, the test passes: nobody knows better.
/// @param arguments  are those of Submission::call()
template <auto* F, class... A>
void check_returns_errors(const A&... arguments) {
  judge::check_returns_errors(judge::function_of<F>(), judge::arguments_of<F>(arguments...));
}

/// The same for one of the CUDA calls, in a process in which F was called before. Nobody can know
/// which one it is. Takes little time, so that there can be one of them for each of several sizes:
/// a function may look at errors only where n is small, or when it is called for the first time.
/// @param earlier    how often F is called before, at least once
/// @param arguments  as of check_returns_errors()
template <auto* F, class... A>
void check_returns_drawn_error(int earlier, const A&... arguments) {
  judge::check_returns_drawn_error(earlier, judge::function_of<F>(),
                                   judge::arguments_of<F>(arguments...));
}

/// Calls F, which returns a cudaError_t, several times in one process. Fails the test if each call
/// leaves a stream or an event: check_safe() looks for device memory only. F may keep a few of them
/// for later calls.
template <auto* F, class... A>
void check_leaves_nothing(const A&... arguments) {
  judge::check_leaves_nothing(judge::function_of<F>(), judge::arguments_of<F>(arguments...));
}

}  // namespace tilelab
