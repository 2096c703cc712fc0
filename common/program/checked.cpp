// The end of a program whose objects were compiled with --checked: it writes down what was found.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "emulator/observer/observer.h"
#include "program/observation.h"
#include "program/variables.h"
#include "report/encode.h"

namespace tilelab::program {
namespace {

std::string& report_file() {
  static auto* const path = new std::string;
  return *path;
}

}  // namespace

void begin_observation() {
  const char* path = std::getenv(report_variable);
  if (path == nullptr) return;
  report_file() = path;
  emulator::ObserverOptions options;
  options.merges_launches = true;
  options.remarks = true;
  if (std::getenv(counts_variable) != nullptr) options.detail = Detail::counts;
  unsetenv(report_variable);
  unsetenv(counts_variable);
  emulator::observe_program(options);
}

void end_observation() {
  if (report_file().empty()) return;
  const std::vector<std::byte> bytes = report::encode(emulator::take_report());
  if (std::FILE* file = std::fopen(report_file().c_str(), "wb")) {
    std::fwrite(bytes.data(), 1, bytes.size(), file);
    std::fclose(file);
  }
  report_file().clear();
}

}  // namespace tilelab::program
