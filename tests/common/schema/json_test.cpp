#include "schema/json.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "judge/catch.h"
#include "schema/json_reader.h"
#include "schema/launch.h"
#include "schema/stream.h"

using namespace tilelab::schema;

namespace {

struct Inner {
  bool flag = false;
  Map<double> map;
};
TILELAB_FIELDS(Inner, flag, map)

struct Written {
  static constexpr std::string_view event = "written";
  std::string text;
  std::vector<Inner> inner;
  std::optional<int> left_out;
  std::optional<int> known;
};
TILELAB_FIELDS(Written, text, inner, left_out, known)

struct Derived : Inner {
  int more = 0;
};
TILELAB_MORE_FIELDS(Derived, Inner, more)

struct Read {
  static constexpr std::string_view event = "read";
  std::string text;
  std::uint32_t number = 0;
  double real = 0;
  Triple triple{};
};
TILELAB_FIELDS(Read, text, number, real, triple)

using Stream = std::variant<Begin, Read>;

Read read(const std::string& line) { return std::get<Read>(event_in<Stream>(line)); }

const std::string rest = R"("number": 3, "real": -2.5e3, "triple": [4, 5, 6]})";

Read with_text(const std::string& text) {
  return read(R"({"type": "read", "text": ")" + text + "\", " + rest);
}

}  // namespace

TEST_CASE("an event is a line with its type and fields in their order") {
  CHECK(to_json(Begin{}) == R"({"type": "begin", "version": 1})");
  CHECK(to_json(End{}) == R"({"type": "end"})");
  CHECK(to_json(Written{"a", {{true, {{"b", 0.5}}}, {}}, std::nullopt, -1}) ==
        R"({"type": "written", "text": "a", "inner": [{"flag": true, "map": {"b": 0.5}}, )"
        R"({"flag": false, "map": {}}], "known": -1})");
  CHECK(to_json(Derived{{}, 3}) == R"({"flag": false, "map": {}, "more": 3})");
}

TEST_CASE("control characters of a text are escaped") {
  CHECK(to_json(std::string_view("a\n\x01\0b", 5)) == R"("a\u000a\u0001\u0000b")");
}

TEST_CASE("numbers have six digits, and what is no number is null") {
  CHECK(to_json(2.0 / 3) == "0.666667");
  CHECK(to_json(1e10) == "1e+10");
  CHECK(to_json(0.0 / 0.0) == "null");
  CHECK(to_json(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
}

TEST_CASE("an event is read whatever the order of its fields") {
  const Read found =
      read(" {\"type\":\"read\" ,\"triple\":[ 1,2 ,3],\"real\":1e3,\"text\":\"a\",\"number\":0} ");
  CHECK(found.triple == Triple{1, 2, 3});
  CHECK(found.real == 1000);
  CHECK(found.text == "a");
  CHECK(std::get<Begin>(event_in<Stream>(to_json(Begin{7}))).version == 7);
}

TEST_CASE("escapes of a text are read") {
  CHECK(with_text(R"(\"\\\/\b\f\n\r\t\u0041)").text == "\"\\/\b\f\n\r\tA");
  CHECK(with_text("\xc3\xb6").text == "\xc3\xb6");
  CHECK_THROWS(with_text(R"(\u00f6)"));
  CHECK_THROWS(with_text(R"(\u00)"));
  CHECK_THROWS(with_text(R"(\x)"));
  CHECK_THROWS(with_text("\\"));
}

TEST_CASE("a line that is no event of the stream is refused") {
  CHECK_THROWS_WITH(read(R"({"type": "read", "text": "", "more": 1, )" + rest),
                    tilelab::contains("unknown field more"));
  CHECK_THROWS_WITH(read(R"({"type": "read", "text": "", "number": 3})"),
                    tilelab::contains("lacks the field real"));
  CHECK_THROWS_WITH(read(R"({"type": "other"})"), tilelab::contains("unknown type other"));
  CHECK_THROWS_WITH(read(R"({"text": "", )" + rest), tilelab::contains("its type"));
  for (const std::string number : {"-1", "4294967296", "1e2", "inf", "\"3\"", "3.0", "+3", ""}) {
    CAPTURE(number);
    CHECK_THROWS(read(R"({"type": "read", "text": "", "real": 0, "triple": [1, 2, 3], "number": )" +
                      number + "}"));
  }
  for (const std::string real : {"nan", "inf", "-inf", "1e999", "null", ".5"}) {
    CAPTURE(real);
    CHECK_THROWS(read(R"({"type": "read", "text": "", "number": 0, "triple": [1, 2, 3], "real": )" +
                      real + "}"));
  }
}

TEST_CASE("every part of an event is needed") {
  const std::string whole = R"({"type": "read", "text": "\n", )" + rest;
  CHECK_NOTHROW(read(whole));
  CHECK_THROWS(read(whole + "}"));
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    CHECK_THROWS_AS(read(whole.substr(0, bytes)), std::runtime_error);
  }
}
