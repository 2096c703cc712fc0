#include "judge/values/values.h"

#include <cstdint>
#include <cstring>
#include <ostream>

#include "judge/catch.h"

using namespace tilelab::judge;

namespace {

struct Grid {
  int nx, ny, nz;
  float spacing;
};
struct Ray {
  float3 from, to;
  bool is_shadow;
};
struct Row {
  int cells[4];
  double weight;
};
struct Box {
  int width, height;
};
std::ostream& operator<<(std::ostream& out, const Box& box) {
  return out << box.width << " x " << box.height;
}
struct Base {
  int a;
};
struct Derived : Base {
  int b;
};
struct Flags {
  unsigned low : 3, high : 5;
};
struct Padded {
  char a;
  double b;
};

}  // namespace

TEST_CASE("numbers are shown with all digits that tell them apart") {
  CHECK(show(-3) == "-3");
  CHECK(show(0.1f) == "0.100000001");
  CHECK(show(0.1f) != show(0.10000002f));
}

TEST_CASE("bytes are shown as numbers") {
  CHECK(show(static_cast<unsigned char>(200)) == "200");
  CHECK(show(static_cast<signed char>(-7)) == "-7");
  CHECK(show('A') == "65");
  CHECK(show(true) == "1");
  CHECK(show(uchar4{1, 10, 100, 255}) == "(1, 10, 100, 255)");
}

TEST_CASE("vectors are shown member by member") {
  CHECK(show(float3{1, 2, 0.5f}) == "(1, 2, 0.5)");
  CHECK(show(float4{1, 2, 3, 4}) == "(1, 2, 3, 4)");
}

TEST_CASE("a struct is shown field by field") {
  CHECK(show(Grid{8, 16, 4, 0.5f}) == "(8, 16, 4, 0.5)");
  CHECK(show_scalar(Grid{8, 16, 4, 0.5f}) == "Grid(8, 16, 4, 0.5)");
  CHECK(show(Ray{{1, 2, 3}, {4, 5, 6}, true}) == "((1, 2, 3), (4, 5, 6), 1)");
  CHECK(show(Flags{5, 9}) == "(5, 9)");
}

TEST_CASE("a struct with an operator<< is shown as that prints it") {
  CHECK(show(Box{3, 4}) == "3 x 4");
  CHECK(show_scalar(Box{3, 4}) == "Box(3 x 4)");
}

TEST_CASE("a struct whose fields cannot be listed is shown as its bytes") {
  CHECK(show_scalar(Row{{1, 2, 255, 0}, 0}) ==
        "Row(bytes 01 00 00 00 02 00 00 00 ff 00 00 00 00 00 00 00 ...)");
  CHECK(show(Derived{{1}, 2}) == "(bytes 01 00 00 00 02 00 00 00)");
}

TEST_CASE("scalars of a call are shown like numbers") {
  CHECK(show_scalar(33) == "33");
  CHECK(show_scalar(true) == "1");
  CHECK(show_scalar(int2{3, 4}) == "int2(3, 4)");
}

TEST_CASE("types have the names that CUDA code gives them") {
  CHECK(type_name<int>() == "int");
  CHECK(type_name<unsigned>() == "unsigned");
  CHECK(type_name<unsigned char>() == "unsigned char");
  CHECK(type_name<std::uint64_t>() == "unsigned long");
  CHECK(type_name<short>() == "short");
  CHECK(type_name<bool>() == "bool");
  CHECK(type_name<double>() == "double");
  CHECK(type_name<uchar4>() == "uchar4");
  CHECK_THAT(type_name<Grid>(), tilelab::contains("Grid"));
}

TEST_CASE("values are equal if all their numbers are") {
  CHECK(equal(3, 3));
  CHECK(equal(float4{1, 2, 3, 4}, float4{1, 2, 3, 4}));
  CHECK_FALSE(equal(float4{1, 2, 3, 4}, float4{1, 2, 3, 5}));
  Padded a, b;
  std::memset(&a, 0, sizeof a);
  std::memset(&b, 0xff, sizeof b);
  a.a = b.a = 1;
  a.b = b.b = 2;
  CHECK(equal(a, b));
}
