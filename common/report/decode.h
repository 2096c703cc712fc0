#pragma once

#include <cstddef>
#include <span>

#include "report/report.h"

namespace tilelab::report {

/// The report that encode() made these bytes of. They come from a process that runs a submission,
/// so they may be anything.
/// @throws std::runtime_error if the bytes are not exactly one report
Report decode(std::span<const std::byte> bytes);

}  // namespace tilelab::report
