#include "judge/stopped_at.h"

#include <map>
#include <vector>

#include "judge/options.h"
#include "judge/source_text.h"
#include "judge/worker/errors.h"
#include "report/source_lines.h"

namespace tilelab::judge {
namespace {

report::SourceLines& lines_of(const std::filesystem::path& program) {
  static std::map<std::filesystem::path, report::SourceLines> all;
  return all.try_emplace(program, program, options().source.filename()).first->second;
}

}  // namespace

std::optional<schema::Place> stopped_at(const std::filesystem::path& program,
                                        std::span<const std::uint64_t> callers,
                                        const std::string& says) {
  // Nobody reads what is said of one version among many.
  if (options().source.empty() || options().versions > 0) return std::nullopt;
  std::vector<report::SourcePlace> places;
  for (const std::uint64_t code : callers) {
    if (code != 0) places.push_back({code, "", 0});
  }
  try {
    lines_of(program).resolve(places);
  } catch (const std::runtime_error& error) {
    throw InfrastructureError(error.what());
  }
  for (const report::SourcePlace& place : places) {
    if (const unsigned line = submission_line(place)) return schema::Place{line, "", says};
  }
  return std::nullopt;
}

}  // namespace tilelab::judge
