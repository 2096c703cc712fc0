// The contract comes first: the headers below read it.
struct Pair {
  float of[2];
  int more;
};
void fill(const int* in, int* out, Pair pair, double scale);
#define TILELAB_LAB_FUNCTIONS(F) F(fill, in, out, pair, scale)

#include <unistd.h>
#include <vector_types.h>

#include <filesystem>
#include <fstream>

#include "judge/catch.h"
#include "judge/estimated/check_estimated.h"

using tilelab::StoredElements;
using tilelab::judge::EstimatedCall;
using tilelab::judge::read_estimated_call;
using tilelab::judge::scalar_of;

namespace {

constexpr std::uint64_t place = 0x7f0000000000;

/// A file with a call, for the length of a test.
class CallFile {
 public:
  explicit CallFile(const std::string& lines) { std::ofstream(path_) << lines; }
  ~CallFile() { std::filesystem::remove(path_); }
  CallFile(const CallFile&) = delete;
  CallFile& operator=(const CallFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("tilelab-call-" + std::to_string(getpid()));
};

const std::string call_of_fill = R"({"type": "begin", "version": 1}
{"type": "estimated_call", "function": "fill"}
{"type": "salt", "value": 9}
{"type": "array", "address": 4096, "bytes": 8, "contents": "bits"}
{"type": "array", "address": 8192, "bytes": 8, "contents": "zeros"}
{"type": "scalar", "numbers": [1, 0.5, -3]}
{"type": "scalar", "numbers": [0.25]}
{"type": "stored", "address": 8196, "bytes": "07000000"}
)";

/// The indices that a check looks at.
template <class T>
std::vector<std::size_t> checked(const StoredElements<T>& elements, std::size_t most = 1000) {
  std::vector<std::size_t> seen;
  elements.check(
      [&](std::size_t i, const T&) {
        seen.push_back(i);
        return std::optional<T>();
      },
      most);
  return seen;
}

}  // namespace

TEST_CASE("a check gets the arguments of the call, and what was stored") {
  const CallFile file(call_of_fill + R"({"type": "end"})");
  tilelab::judge::options().estimated = file.path();
  bool was_called = false;
  tilelab::check_estimated<fill>([&](const std::vector<int>& in, const StoredElements<int>& out,
                                     const Pair& pair, double scale) {
    was_called = true;
    CHECK(in.size() == 2);
    CHECK(static_cast<std::uint32_t>(in[1]) ==
          tilelab::schema::made_up_word(tilelab::schema::Contents::bits, 4100, 9));
    CHECK((pair.of[0] == 1 && pair.of[1] == 0.5f && pair.more == -3));
    CHECK(scale == 0.25);
    CHECK(checked(out) == std::vector<std::size_t>{1});
    out.check([](std::size_t, int got) { return tilelab::correction(got == 7, 0); });
  });
  CHECK(was_called);
}

TEST_CASE("a call without its end, or of another function, is not checked") {
  const CallFile file(call_of_fill);
  CHECK_THROWS(read_estimated_call(file.path()));
  const CallFile other(R"({"type": "estimated_call", "function": "other"}
{"type": "end"})");
  tilelab::judge::options().estimated = other.path();
  CHECK_THROWS_WITH(tilelab::check_estimated<fill>([](auto&&...) {}), "no check of other");
}

TEST_CASE("numbers that a struct lacks are 0") {
  const auto made = scalar_of<Pair>({4});
  CHECK((made.of[0] == 4 && made.of[1] == 0 && made.more == 0));
  CHECK(scalar_of<int>({-5}) == -5);
}

TEST_CASE("elements count where a part of them was stored") {
  EstimatedCall call;
  // Half of element 1; of the bytes 8 to 11, those that changed.
  call.stored = {{place + 8, {1, 0, 0, 0}}, {place + 4096, {1, 2, 3, 4}}};
  const tilelab::schema::Array zeros{place, 64, "zeros"};
  CHECK(checked(StoredElements<double>("out", zeros, call)) == std::vector<std::size_t>{1});
  CHECK(checked(StoredElements<char>("out", zeros, call)) == std::vector<std::size_t>{8});
}

TEST_CASE("after all blocks, zeros that are left count, too") {
  EstimatedCall call;
  call.left = {{place + 8, {0, 0, 0, 0, 0, 0, 0, 0}}};
  const tilelab::schema::Array zeros{place, 64, "zeros"};
  CHECK(checked(StoredElements<int>("out", zeros, call)) == std::vector<std::size_t>{2, 3});
  // Of the others, parts are not known.
  call.left[0].values.resize(20);
  CHECK(checked(StoredElements<float3>("out", zeros, call)) == std::vector<std::size_t>{1});
}

TEST_CASE("of many elements some are drawn") {
  EstimatedCall call;
  call.left = {{place, std::vector<std::uint8_t>(4000)}};
  const tilelab::schema::Array zeros{place, 4000, "zeros"};
  CHECK(checked(StoredElements<int>("out", zeros, call), 20).size() == 20);
}
