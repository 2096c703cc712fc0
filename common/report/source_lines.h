#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "report/report.h"

/// Looks up the source lines of a report. It runs `addr2line`, so it is for the judge, not for a
/// worker.
namespace tilelab::report {

/// Whether the file is a header of the emulator or of the compiler, whose functions are inlined.
bool is_of_library(const std::string& file);

class SourceLines {
 public:
  /// @param executable  the file that ran the submission
  /// @param source      the name of the submission's own file. A function of another file that is
  ///                    inlined there counts as the line that calls it. "" if there is no such file
  explicit SourceLines(std::string executable, std::string source = "")
      : executable_(std::move(executable)), source_(std::move(source)) {}

  /// Fills in the file and line of every place.
  /// @throws std::runtime_error if addr2line cannot be run
  void resolve(Report& report);

  /// The innermost of running functions that is one of those wanted.
  /// @param callers  where they were, the innermost first, as `addr2line` expects it
  /// @throws std::runtime_error if addr2line cannot be run
  std::optional<SourcePlace> innermost(std::span<const std::uint64_t> callers,
                                       bool (*is_wanted)(const SourcePlace&));

  /// Fills in the place of every finding that has callers, or the other place if it has one.
  /// @throws std::runtime_error if addr2line cannot be run
  void name_callers(Report& report, bool (*is_wanted)(const SourcePlace&));

 private:
  void name_callers(std::vector<Finding>& findings, bool (*is_wanted)(const SourcePlace&));
  struct Line {
    std::string file;
    unsigned number;
  };

  void resolve(const std::vector<SourcePlace*>& places);
  void look_up(const std::vector<std::uint64_t>& addresses);
  void fill(SourcePlace& place) const;

  bool is_source(const std::string& file) const;

  std::string executable_;
  std::string source_;
  std::map<std::uint64_t, Line> known_;
};

}  // namespace tilelab::report
