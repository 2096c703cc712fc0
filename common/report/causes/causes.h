#pragma once

#include <vector>

#include "report/finding.h"

namespace tilelab::report {

/// Takes out what another finding explains, and puts first what may explain others. Of a race
/// within a warp it says whether a barrier of the block is missing there for others, too.
/// @param findings  of one program, with lines
void keep_causes(std::vector<Finding>& findings);

}  // namespace tilelab::report
