#include "judge/worker/endings.h"

#include <cstring>
#include <string>

#include "judge/catch.h"

namespace {

using tilelab::judge::explain_error;

std::string says_of(int code, const char* text) {
  tilelab::wire::Reply reply;
  reply.status = tilelab::wire::Status::cuda_error;
  reply.cuda_code = code;
  std::strcpy(reply.text, text);
  return explain_error(reply, "sum(in, out)", {}).sentence;
}

}  // namespace

TEST_CASE("a block that does not fit on a multiprocessor is explained") {
  REQUIRE(
      says_of(701, "cudaErrorLaunchOutOfResources: too many resources requested for launch") ==
      "sum(in, out) failed with cudaErrorLaunchOutOfResources: too many resources requested for "
      "launch. The threads of a block need more registers than a multiprocessor has: make the "
      "block smaller, or tell the compiler how large it is, by __launch_bounds__(threads) "
      "before the kernel's name.");
}

TEST_CASE("an error that says enough is left as it is") {
  REQUIRE(says_of(700, "cudaErrorIllegalAddress: an illegal memory access was encountered") ==
          "sum(in, out) failed with cudaErrorIllegalAddress: an illegal memory access was "
          "encountered");
}
