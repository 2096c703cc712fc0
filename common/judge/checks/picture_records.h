#pragma once

#include <vector>

#include "report/report.h"
#include "schema/picture.h"

namespace tilelab::judge {

/// A launch of a picture.
schema::PicturedLaunch picture_of(const report::LaunchReport& launch);

/// What is wrong.
std::vector<schema::PicturedFinding> pictures_of(const std::vector<report::Finding>& findings);

}  // namespace tilelab::judge
