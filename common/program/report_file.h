#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/report.h"

/// The file in which a checked program reports. From its first launch on it says how far the
/// program has come and what was found, so that a program that is killed has a report, too.
namespace tilelab::program {

/// The first page of the file, which the running program has in its memory.
struct Progress {
  using Name = std::array<char, 1024>;

  std::array<char, 8> format{};     ///< That of report_format.
  std::array<char, 16> ended_by{};  ///< See schema::Ending.
  std::uint64_t launches = 0;       ///< How many have begun.
  std::uint32_t line = 0;           ///< Of the launch that has not ended.
  Name kernel{};                    ///< Its kernel; "" if there is none.
  Name file{};                      ///< Where it is launched.
};

inline constexpr std::array<char, 8> report_format = {'t', 'i', 'l', 'e', 'l', 'a', 'b', '1'};
inline constexpr std::size_t progress_bytes = 4096;
static_assert(sizeof(Progress) <= progress_bytes);

/// The bytes of a report as they follow in the file, after their number.
std::vector<std::byte> piece_of(const report::Report& report);

/// The first page as bytes.
std::vector<std::byte> page_of(const Progress& progress);

/// What a file holds. The report of a program that was killed has findings alone.
struct ReportFile {
  Progress progress;
  report::Report report;
};
/// @throws std::runtime_error if it is no such file
ReportFile read_report_file(const std::string& path);

}  // namespace tilelab::program
