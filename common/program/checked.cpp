// The end of a program whose objects were compiled with --checked: it writes down what was found.

#include <cstdlib>
#include <vector>

#include "emulator/observer/observer.h"
#include "program/observation.h"
#include "program/report_writer.h"
#include "program/variables.h"

namespace tilelab::program {
namespace {

/// Null if nobody wants a report.
ReportWriter* writer = nullptr;

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

void end_observation(const char* ended_by, bool is_its_own) {
  if (writer == nullptr) return;
  report::Report report = emulator::take_report();
  if (!is_its_own) {
    std::erase_if(report.findings,
                  [](const report::Finding& one) { return one.kind == report::FindingKind::leak; });
  }
  writer->complete(report, ended_by);
  writer = nullptr;
}

}  // namespace tilelab::program
