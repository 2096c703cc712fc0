// nvdisasm prints machine code, with names that a student chose.

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>

#include "estimator/code/disassembly.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  try {
    tilelab::estimator::read_disassembly(in);
  } catch (const std::runtime_error&) {
    // A text that is no disassembly is refused.
  }
  return 0;
}
