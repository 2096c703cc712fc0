// The contract comes first, because the header below reads it.
#include "two_functions.h"
//
#include <string>
#include <type_traits>

#include "contract/functions.h"
#include "judge/catch.h"

using namespace tilelab;

namespace {

template <class... P>
std::vector<wire::Role> roles_of(void (*)(P...)) {
  return {Parameter<P>::role...};
}

}  // namespace

TEST_CASE("functions keep their names and their places in the list") {
  CHECK(FunctionInfo<&first>::name == std::string("first"));
  CHECK(FunctionInfo<&first>::index == 0);
  CHECK(FunctionInfo<&second>::name == std::string("second"));
  CHECK(FunctionInfo<&second>::index == 1);
}

TEST_CASE("parameters keep their names") {
  CHECK(FunctionInfo<&first>::parameters == std::string("in, out, n"));
  CHECK(FunctionInfo<&second>::parameters == std::string("out, scale"));
}

TEST_CASE("a signature says what is read, what is written and what is a value") {
  using wire::Role;
  CHECK(roles_of(static_cast<decltype(&first)>(nullptr)) ==
        std::vector{Role::input, Role::output, Role::scalar});
  CHECK(roles_of(static_cast<decltype(&second)>(nullptr)) ==
        std::vector{Role::output, Role::scalar});
}

TEST_CASE("an array knows its element") {
  CHECK(std::is_same_v<Parameter<const int*>::Element, int>);
  CHECK(std::is_same_v<Parameter<Pair*>::Element, Pair>);
}
