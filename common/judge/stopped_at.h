#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "schema/place.h"

namespace tilelab::judge {

/// The line of the submission that ran when a worker stopped, if one is known.
/// @param program  the worker's
/// @param callers  where the running functions were, the innermost first, as `addr2line` expects it
/// @param says     what happened there
std::optional<schema::Place> stopped_at(const std::filesystem::path& program,
                                        std::span<const std::uint64_t> callers,
                                        const std::string& says);

}  // namespace tilelab::judge
