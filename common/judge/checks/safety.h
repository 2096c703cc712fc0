#pragma once

#include <vector>

#include "judge/calls/arguments.h"
#include "judge/calls/observation.h"

namespace tilelab {
namespace judge {

/// The pattern under which a lab keeps its hint on such findings.
const char* pattern_of(report::FindingKind kind);

/// Does the work of check_safe(), below, without types.
void check_safe(const Function& function, const std::vector<CallArgument>& arguments);

}  // namespace judge

/// Calls F of the submission's checked build, in several orders of its threads. Fails the test for
/// each data race, stray or misaligned access, read of memory that nobody wrote, failed launch and
/// leak. What F computes does not matter here.
template <auto* F, class... A>
void check_safe(const A&... arguments) {
  judge::check_safe(judge::function_of<F>(), judge::arguments_of<F>(arguments...));
}

}  // namespace tilelab
