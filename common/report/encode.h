#pragma once

#include <cstddef>
#include <vector>

#include "report/report.h"

namespace tilelab::report {

/// The report as bytes, to cross the process boundary. decode() reads them.
std::vector<std::byte> encode(const Report& report);

}  // namespace tilelab::report
