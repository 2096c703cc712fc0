// The report of a checked build comes from a process that runs a submission. The judge turns it
// into sentences and JSON.

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "judge/checks/finding_message.h"
#include "judge/checks/profile.h"
#include "judge/checks/trace_json.h"
#include "report/decode.h"

namespace {

using namespace tilelab;

void tell(const std::vector<report::Finding>& findings) {
  for (const report::Finding& finding : findings) judge::message_of(finding);
  judge::findings_json(findings);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const report::Report report = report::decode(std::as_bytes(std::span(data, size)));
    tell(report.findings);
    for (const report::LaunchReport& launch : report.launches) {
      tell(launch.findings);
      judge::launch_json(launch);
      judge::trace_json(launch.trace);
    }
  } catch (const std::runtime_error&) {
    // Bytes that are no report are refused.
  }
  return 0;
}
