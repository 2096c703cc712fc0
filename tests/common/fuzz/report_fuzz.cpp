// The report of a checked build comes from a process that runs a submission.

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "report/decode.h"
#include "report/launch_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    tilelab::report::decode(std::as_bytes(std::span(data, size)));
  } catch (const std::runtime_error&) {
    // Bytes that are no report are refused.
  }
  return 0;
}
