#pragma once

#include <sys/types.h>

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
  bool is_forked() const;
  /// The file for what is found: processes that the program has forked have one of their own, which
  /// is left when the program replaces the other one.
  const std::string& file() const { return is_forked() ? of_forked_ : path_; }
  using Key = std::tuple<report::FindingKind, std::string, std::uint64_t, std::uint64_t, unsigned,
                         unsigned, std::string>;

  std::string path_;
  std::string of_forked_;
  pid_t process_;
  std::uint64_t launches_ = 0;    ///< Of this process.
  Progress* progress_ = nullptr;  ///< In the file; null if it cannot be written.
  std::set<Key> known_;           ///< One finding of many launches is written once.
  std::set<Key>::iterator last_ = known_.end();
  std::int64_t end_before_last_ = 0;  ///< Of the file.
};

}  // namespace tilelab::program
