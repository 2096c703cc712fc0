#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "report/report.h"

/// How a report crosses the process boundary.
namespace tilelab {

/// The bytes that from_bytes() reads.
std::vector<std::byte> to_bytes(const emulator::Report& report);

/// Throws std::runtime_error if the bytes are not a whole report: they come from a process that
/// holds a submission.
emulator::Report from_bytes(std::span<const std::byte> bytes);

}  // namespace tilelab
