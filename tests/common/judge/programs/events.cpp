// A judge whose tests do all that a judge's tests can do. events_test.cpp reads what it reports.

#include "judge/events.h"

#include <stdexcept>

#include "judge/catch.h"

using tilelab::judge::fail;
using tilelab::judge::fail_and_stop;
using tilelab::judge::Message;

TEST_CASE("passes", "[tests]") {
  INFO("not shown");
  WARN("a remark");
}

TEST_CASE("fails", "[tests]") {
  TILELAB_REMARK("a remark");
  INFO("n = " << 3);
  Message message("2 of 3 are wrong.", "tail");
  message.summary = std::string("2 of 3 are wrong.");
  message.element = std::string("out[1]");
  message.expected = std::string("1");
  message.got = std::string("2");
  message.places = {{12, "out", "here"}};
  fail(message);
  fail({"All of \"them\" are wr\xc3\xb6ng."});
  const int a = 1;
  CHECK(a == 2);
}

TEST_CASE("stops", "[tests]") {
  fail_and_stop({"It stops.", "out_of_bounds"});
  FAIL_CHECK("not reached");
}

TEST_CASE("throws", "[throws]") { throw std::runtime_error("no memory"); }

TEST_CASE("crashes", "[crashes]") { __builtin_trap(); }
