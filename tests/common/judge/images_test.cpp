#include "probe.h"
// The contract comes first, because the headers below read it.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <set>

#include "judge/calls/images.h"
#include "judge/catch.h"

using namespace tilelab;
using namespace tilelab::judge;

namespace {

struct Call {
  std::vector<int> in = {1, 2, 3};
  Output<int> out{"out", 3};
  std::vector<CallArgument> arguments = arguments_of<probe>(in, out, 3);
  Random random{1};
  Images images{arguments, Images::Contents::inputs_and_outputs, random};

  /// What a worker that changes nothing would send back.
  MemoryFile results() {
    const auto bytes = images.file().bytes();
    MemoryFile file(bytes.size(), MemoryFile::Writer::worker_too);
    std::copy(bytes.begin(), bytes.end(), file.bytes().begin());
    return file;
  }

  std::vector<Message> violations(const MemoryFile& results) {
    return images.violations(function_of<probe>(), results);
  }

  std::byte& at(const MemoryFile& file, std::size_t argument, long byte) {
    return file.bytes()[static_cast<std::size_t>(images.payload(argument, file).data() -
                                                 file.bytes().data() + byte)];
  }
};

void flip(std::byte& byte) { byte = ~byte; }

}  // namespace

TEST_CASE("an image holds the input and noise round it") {
  Call call;
  const auto payload = call.images.payload(0, call.images.file());
  CHECK(std::equal(payload.begin(), payload.end(), std::as_bytes(std::span(call.in)).begin()));
  CHECK(call.violations(call.results()).empty());
}

TEST_CASE("addresses differ from call to call") {
  Call call;
  wire::Request first, second;
  call.images.describe_in(first);
  Images(call.arguments, Images::Contents::inputs_and_outputs, call.random).describe_in(second);
  CHECK((first.arguments[0].image.front != second.arguments[0].image.front ||
         first.arguments[1].image.front != second.arguments[1].image.front));
}

TEST_CASE("arrays begin at multiples of what the contract promises") {
  Call call;
  const auto fronts = [&](unsigned shift, std::size_t alignment) {
    wire::Request request;
    Images(call.arguments, Images::Contents::inputs_and_outputs, call.random, shift, alignment)
        .describe_in(request);
    return std::array{request.arguments[0].image.front, request.arguments[1].image.front};
  };
  int aligned = 0;
  std::set<std::size_t> offsets;
  constexpr unsigned calls = 200;
  for (unsigned shift = 0; shift < calls; ++shift) {
    for (const std::size_t front : fronts(shift, Images::usual_alignment)) CHECK(front % 16 == 0);
    const auto [one, other] = fronts(shift, 4);
    aligned += one % 16 == 0 && other % 16 == 0;
    offsets.insert({one % 16, other % 16});
  }
  CHECK(offsets == std::set<std::size_t>{0, 4, 8, 12});
  CHECK(aligned > calls / 3);
  CHECK(aligned < calls * 2 / 3);
}

TEST_CASE("the noise in an array and next to it is the same in each call") {
  Call call;
  const Images second(call.arguments, Images::Contents::inputs_and_outputs, call.random, 1);
  const auto around = [](const Images& images, std::size_t argument) {
    const auto payload = images.payload(argument, images.file());
    constexpr std::size_t zone = 16 * 1024;
    return std::vector<std::byte>(payload.data() - zone, payload.data() + payload.size() + zone);
  };
  CHECK(around(call.images, 0) == around(second, 0));
  CHECK(around(call.images, 1) == around(second, 1));
  // No array has the noise of another.
  const auto past_the_end = [](std::vector<std::byte> all) {
    return std::vector<std::byte>(all.end() - 64, all.end());
  };
  CHECK(past_the_end(around(second, 0)) != past_the_end(around(second, 1)));
}

TEST_CASE("noise makes a sum wrong that it goes into") {
  Call call;
  const auto out = call.images.payload(1, call.images.file());
  const auto magnitude = [](const std::byte* at) {
    float number;
    std::memcpy(&number, at, sizeof number);
    return std::abs(number);
  };
  CHECK_FALSE(magnitude(out.data() - 4) < 1e19f);
  CHECK_FALSE(magnitude(out.data() + out.size()) < 1e19f);
  // What is added to an output shows.
  CHECK(magnitude(out.data()) >= 131072);
  CHECK(magnitude(out.data()) < 262144);
}

TEST_CASE("a changed guard zone is reported with its distance in elements") {
  Call call;
  const MemoryFile results = call.results();
  flip(call.at(results, 1, 12));
  flip(call.at(results, 1, 19));
  REQUIRE(call.violations(results).size() == 1);
  CHECK_THAT(call.violations(results)[0].sentence,
             contains("wrote past the end of out: at [3] and [4], but it has 3 elements"));
}

TEST_CASE("a guard zone begins with the byte after the array and ends far behind") {
  Call call;
  for (const long byte : {12L, 12L + 16 * 1024 - 1}) {
    const MemoryFile results = call.results();
    flip(call.at(results, 1, byte));
    CHECK(call.violations(results).size() == 1);
  }
}

TEST_CASE("a write before an array counts backwards") {
  Call call;
  const MemoryFile results = call.results();
  flip(call.at(results, 1, -1));
  REQUIRE(call.violations(results).size() == 1);
  CHECK_THAT(call.violations(results)[0].sentence,
             contains("wrote before the start of out: at [-1]."));
}

TEST_CASE("a changed input is reported") {
  Call call;
  const MemoryFile results = call.results();
  flip(call.at(results, 0, 4));
  REQUIRE(call.violations(results).size() == 1);
  CHECK_THAT(call.violations(results)[0].sentence, contains("changed in, which is read only"));
}

TEST_CASE("a worker can neither write to the images nor cut a file short") {
  const MemoryFile images(4096, MemoryFile::Writer::judge_only);
  CHECK(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, images.descriptor(), 0) ==
        MAP_FAILED);
  CHECK(write(images.descriptor(), "x", 1) < 0);
  const MemoryFile results(4096, MemoryFile::Writer::worker_too);
  CHECK(ftruncate(results.descriptor(), 0) < 0);
  CHECK(ftruncate(results.descriptor(), 1 << 20) < 0);
}
