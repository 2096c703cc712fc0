#include "judge/stopped_at.h"

#include <map>
#include <stdexcept>

#include "judge/options.h"
#include "judge/source_text.h"
#include "judge/worker/errors.h"

namespace tilelab::judge {

report::SourceLines& source_lines_of(const std::filesystem::path& program) {
  static std::map<std::filesystem::path, report::SourceLines> all;
  return all.try_emplace(program, program, options().source.filename()).first->second;
}

std::optional<report::SourcePlace> innermost_place(const std::filesystem::path& program,
                                                   std::span<const std::uint64_t> callers) {
  return source_lines_of(program).innermost(callers, is_in_submission);
}

std::optional<schema::Place> stopped_at(const std::filesystem::path& program,
                                        std::span<const std::uint64_t> callers,
                                        const std::string& says) {
  // Nobody reads what is said of one version among many.
  if (options().source.empty() || options().versions > 0) return std::nullopt;
  try {
    const auto place = innermost_place(program, callers);
    return place ? std::optional(schema::Place{submission_line(*place), "", says}) : std::nullopt;
  } catch (const std::runtime_error& error) {
    throw InfrastructureError(error.what());
  }
}

}  // namespace tilelab::judge
