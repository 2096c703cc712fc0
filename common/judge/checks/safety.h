#pragma once

#include <functional>
#include <vector>

#include "judge/calls/arguments.h"
#include "judge/calls/look.h"
#include "judge/calls/observation.h"
#include "judge/calls/results.h"

namespace tilelab {

namespace judge {

/// Does the work of check_safe(), below, without types.
void check_safe(Look look, const Function& function, const std::vector<CallArgument>& arguments,
                const std::function<void(const std::vector<RunResult>&)>& check_results);

}  // namespace judge

/// Calls F of the submission's checked build. Fails the test for each data race, stray or
/// misaligned access, read of memory that nobody wrote, failed launch and leak. Fails it as well if
/// the results are wrong: a kernel that does nothing is not safe.
/// @param look       says how closely
/// @param check      fails the test if the Outputs among the arguments are wrong
/// @param arguments  are those of Submission::call()
template <auto* F, class Check, class... A>
void check_safe(Look look, Check check, A&&... arguments) {
  judge::check_safe(look, judge::function_of<F>(), judge::arguments_of<F>(arguments...),
                    [&](const std::vector<judge::RunResult>& runs) {
                      judge::store_runs<F>(runs, arguments...);
                      check();
                    });
}

/// Looks at all blocks of the call.
template <auto* F, class Check, class... A>
void check_safe(Check check, A&&... arguments) {
  check_safe<F>(Look::all_blocks, check, arguments...);
}

}  // namespace tilelab
