// The report of a checked build comes from a process that runs a submission. The judge turns it
// into sentences and JSON.

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "judge/checks/finding_message.h"
#include "judge/checks/picture_records.h"
#include "report/decode.h"
#include "schema/json.h"

namespace {

using namespace tilelab;

void tell(const std::vector<report::Finding>& findings) {
  for (const report::Finding& finding : findings) judge::message_of(finding);
  to_json(judge::pictures_of(findings));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const report::Report report = report::decode(std::as_bytes(std::span(data, size)));
    tell(report.findings);
    for (const report::LaunchReport& launch : report.launches) {
      tell(launch.findings);
      to_json(judge::picture_of(launch));
    }
  } catch (const std::runtime_error&) {
    // Bytes that are no report are refused.
  }
  return 0;
}
