#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "report/places.h"
#include "report/source_lines.h"
#include "schema/place.h"

namespace tilelab::judge {

/// The lines of a worker's code.
/// @param program  the worker's
report::SourceLines& source_lines_of(const std::filesystem::path& program);

/// Where the submission is among running functions: its innermost line, if it is one of them.
/// @param program  the worker's
/// @param callers  where they were, the innermost first, as `addr2line` expects it
/// @throws std::runtime_error if addr2line cannot be run
std::optional<report::SourcePlace> innermost_place(const std::filesystem::path& program,
                                                   std::span<const std::uint64_t> callers);

/// The line of the submission that ran when a worker stopped, if one is known.
/// @param program, callers  those of innermost_place()
/// @param says              what happened there
std::optional<schema::Place> stopped_at(const std::filesystem::path& program,
                                        std::span<const std::uint64_t> callers,
                                        const std::string& says);

}  // namespace tilelab::judge
