#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "judge/calls/observation.h"

namespace tilelab::judge {

/// Has the checked build of one of the lab's own kernels, the baseline or the reference solution,
/// call a function, and counts what this many blocks of a launch do, or all if the limit is 0. With
/// Options::observed this happens once for all judges that get the same inputs: the others read
/// what the first one wrote there, which is only the report. Throws InfrastructureError.
Observation observe_own(const std::string& worker, const Function& function,
                        const std::vector<CallArgument>& arguments, std::uint64_t block_limit = 0);

}  // namespace tilelab::judge
