#pragma once

#include <set>
#include <string>
#include <tuple>

#include "emulator/observer/journal.h"
#include "program/report_file.h"

namespace tilelab::program {

/// Keeps the report of the running program up to date, whatever ends it.
class ReportWriter final : public emulator::Journal {
 public:
  explicit ReportWriter(const std::string& path);

  void launch_begins(const emulator::KernelCall& kernel,
                     const emulator::LaunchConfiguration& configuration) override;
  void launch_ends() override;
  void found(const report::Finding& finding) override;
  void withdrawn() override;

  /// Replaces the file, because the program has ended.
  /// @param ended_by  see schema::Ending
  void complete(const report::Report& report, const char* ended_by);

 private:
  using Key = std::tuple<report::FindingKind, std::string, std::uint64_t, std::uint64_t, unsigned,
                         unsigned, std::string>;

  std::string path_;
  Progress* progress_ = nullptr;  ///< In the file; null if it cannot be written.
  std::set<Key> known_;           ///< One finding of many launches is written once.
  std::set<Key>::iterator last_ = known_.end();
  std::int64_t end_before_last_ = 0;  ///< Of the file.
};

}  // namespace tilelab::program
