// The rewriter gets a student's file after the preprocessor, which passes nearly everything on. The
// first byte says whether the text for the device differs.

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>

#include "files/device_code.h"
#include "rewrite.h"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  std::cerr.setstate(std::ios::failbit);  // messages to students would hide the fuzzer's own
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  if (data[0] == '2') {
    const std::size_t half = text.find('\0');
    if (half == std::string::npos) return 0;
    text =
        tilelab::rewriter::with_device_code(text.substr(0, half), text.substr(half + 1), "fuzz.cu");
  }
  std::ostringstream out;
  tilelab::rewriter::rewrite(text, "fuzz.cu", text, false, out);
  return 0;
}
