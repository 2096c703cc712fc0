#pragma once

#include <string>
#include <vector>

#include "judge/calls/observation.h"

namespace tilelab::judge {

/// Has the checked build of one of the lab's own kernels, the baseline or the reference solution,
/// call a function, and counts what it does. With Options::observed this happens once for all
/// judges that get the same inputs: the others read what the first one wrote there, which is only
/// the report. Throws InfrastructureError.
Observation observe_own(const std::string& worker, const Function& function,
                        const std::vector<CallArgument>& arguments);

}  // namespace tilelab::judge
