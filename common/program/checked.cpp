// The end of a program whose objects were compiled with --checked: it writes down what was found.

#include <cstdlib>
#include <vector>

#include "emulator/observer/observer.h"
#include "emulator/runtime/errors/errors.h"
#include "program/observation.h"
#include "program/report_writer.h"
#include "program/variables.h"

namespace tilelab::program {
namespace {

/// Null if nobody wants a report.
ReportWriter* writer = nullptr;

/// The program has asked for the errors of the launches that were refused.
void launches_are_known(std::vector<report::Finding>& findings) {
  for (report::Finding& one : findings) {
    if (one.kind == report::FindingKind::failed_launch) {
      one.kind = report::FindingKind::known_failed_launch;
    }
  }
}

}  // namespace

void begin_observation() {
  const char* path = std::getenv(report_variable);
  if (path == nullptr) return;
  writer = new ReportWriter(path);
  emulator::ObserverOptions options;
  options.merges_launches = true;
  options.remarks = true;
  options.journal = writer;
  if (std::getenv(counts_variable) != nullptr) options.detail = Detail::counts;
  unsetenv(report_variable);
  unsetenv(counts_variable);
  emulator::observe_program(options);
}

void note_crash(const char* sentence) {
  if (writer != nullptr) emulator::note_host_fault(sentence);
}

void end_observation(const char* ended_by, bool is_its_own) {
  if (writer == nullptr) return;
  const bool has_asked = emulator::unchecked_errors().empty();
  report::Report report = emulator::take_report();
  if (has_asked) launches_are_known(report.findings);
  if (!is_its_own) {
    std::erase_if(report.findings,
                  [](const report::Finding& one) { return one.kind == report::FindingKind::leak; });
  }
  writer->complete(report, ended_by);
  writer = nullptr;
}

}  // namespace tilelab::program
