// A worker's reply comes from a process that runs a submission. The judge turns it into sentences.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "contract/wire.h"
#include "judge/worker/endings.h"
#include "judge/worker/reply_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tilelab;
  wire::Reply reply;
  std::memcpy(&reply, data, std::min(size, sizeof reply));
  const wire::Request request;
  judge::text_of(reply);
  judge::explain_fault(reply, "f(1)");
  judge::explain_error(reply, "f(1)", request);
  return 0;
}
