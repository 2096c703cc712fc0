#pragma once

#include <string>

#include "report/report.h"
#include "schema/launch.h"

namespace tilelab::report {

/// What was seen of one launch, for streams.
/// @param line  returns the text of a line of the source
schema::Launch record_of(const LaunchReport& launch, std::string (*line)(const SourcePlace&));

/// x, y and z.
schema::Triple triple_of(const Index3& v);

}  // namespace tilelab::report
