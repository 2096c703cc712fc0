#include "report/declarations/array_shape.h"

#include "judge/catch.h"

using tilelab::report::array_shape;
using Shape = std::vector<std::uint64_t>;

TEST_CASE("the lengths of an array are those of its declaration") {
  CHECK(array_shape("__shared__ float tile[32];", "tile", 128) == Shape{32});
  CHECK(array_shape("__shared__ float tile[32][33];", "tile", 4224) == Shape{32, 33});
  CHECK(array_shape("__shared__ __align__(16) float tile [2][ 4 ] [8];", "tile", 256) ==
        Shape{2, 4, 8});
  CHECK(array_shape("__shared__ float a[4], b[2][3];", "b", 24) == Shape{2, 3});
}

TEST_CASE("constants, macros and arithmetic are worked out") {
  const std::string constants =
      "#define ROWS 8  // of a tile\nconstexpr int halo = 4, edge = 2 * (ROWS + halo) - 4 / 2;\n";
  const std::string text = constants + "__shared__ int tile[edge][edge + 1];";
  CHECK(array_shape(text, "tile", 22 * 23 * 4) == Shape{22, 23});
}

TEST_CASE("what the text does not say is left out") {
  const auto is_unknown = [](const std::string& text, std::uint64_t bytes) {
    return array_shape(text, "tile", bytes).empty();
  };
  CHECK(is_unknown("float tile[32];", 128));
  CHECK(is_unknown("__shared__ float tiles[32];", 128));
  CHECK(is_unknown("extern __shared__ float tile[];", 128));
  CHECK(is_unknown("__shared__ float tile[size];", 128));
  CHECK(is_unknown("constexpr int size = other(3);\n__shared__ float tile[size];", 128));
  CHECK(is_unknown("constexpr int size = size;\n__shared__ float tile[size];", 128));
  CHECK(is_unknown("__shared__ float tile[0];", 128));
  CHECK(is_unknown("__shared__ float tile[7];", 128));
  CHECK(is_unknown("__shared__ float tile[7", 28));
  CHECK(is_unknown("__shared__ float tile[3 - 4];", 28));
}

TEST_CASE("of two arrays with one name, the one with as many bytes is meant") {
  const std::string text = "__shared__ float tile[3][5]; __shared__ float tile[8][8];";
  CHECK(array_shape(text, "tile", 256) == Shape{8, 8});
  const std::string alike = "__shared__ float tile[4][16]; __shared__ float tile[8][8];";
  CHECK(array_shape(alike, "tile", 256).empty());
}
