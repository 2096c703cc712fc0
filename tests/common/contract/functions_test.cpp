// The contract comes first, because the header below reads it.
#include "two_functions.h"
//
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "contract/functions.h"
#include "judge/catch.h"

using namespace tilelab;

namespace {

template <auto* F, class R, class... P, std::size_t... I>
std::vector<wire::Role> roles_of(R (*)(P...), std::index_sequence<I...>) {
  return {role_of<F, I, P>()...};
}

template <auto* F>
std::vector<wire::Role> roles_of() {
  constexpr std::size_t count = parameter_count(decltype(F){nullptr});
  return roles_of<F>(static_cast<decltype(F)>(nullptr), std::make_index_sequence<count>());
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
  CHECK(roles_of<&first>() == std::vector{Role::input, Role::output, Role::scalar});
  CHECK(roles_of<&second>() == std::vector{Role::output, Role::scalar});
}

TEST_CASE("a list of parameters says which arrays are read and written") {
  using wire::Role;
  CHECK(roles_of<&third>() == std::vector{Role::inout, Role::input});
  CHECK(roles_of<&fourth>() == std::vector{Role::inout});
  using namespace contract;
  for (const char* names : {"a, inout(b), c", "a,inout ( b ) ,c", "a, inout( b), c"}) {
    INFO(names);
    CHECK(count_of(names) == 3);
    CHECK(name_of(names, 0) == "a");
    CHECK(name_of(names, 1) == "b");
    CHECK(name_of(names, 2) == "c");
    CHECK_FALSE(is_inout(names, 0));
    CHECK(is_inout(names, 1));
  }
  CHECK_FALSE(is_inout("inout", 0));
  CHECK(count_of("") == 0);
}

TEST_CASE("a list of parameters says which array is only worked in") {
  using wire::Role;
  CHECK(roles_of<&fifth>() == std::vector{Role::input, Role::output, Role::scratch});
  using namespace contract;
  CHECK(is_scratch("a, scratch( b ), inout(c)", 1));
  CHECK_FALSE(is_inout("a, scratch( b ), inout(c)", 1));
  CHECK_FALSE(is_scratch("a, scratch( b ), inout(c)", 2));
  CHECK(name_of("a, scratch( b ), inout(c)", 1) == "b");
}

TEST_CASE("a result is an error, a value or nothing") {
  CHECK(returns_error<cudaError_t>);
  CHECK_FALSE(returns_error<void>);
  CHECK_FALSE(returns_error<int>);
  CHECK(returns_value<double>());
  CHECK(returns_value<Pair>());
  CHECK_FALSE(returns_value<void>());
  CHECK_FALSE(returns_value<cudaError_t>());
}

TEST_CASE("an array knows its element") {
  CHECK(std::is_same_v<Parameter<const int*>::Element, int>);
  CHECK(std::is_same_v<Parameter<Pair*>::Element, Pair>);
}
