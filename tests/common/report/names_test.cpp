#include "report/declarations/names.h"

#include <string>

#include "judge/catch.h"
#include "report/declarations/dynamic_array.h"
#include "report/texts.h"

using namespace tilelab::report;

namespace {

const std::string two_kernels = R"(
// extern __shared__ int old[];
__device__ float first(const float* a) {
  return a[0];
}
__global__ void one() {
  extern __shared__ __align__(16) float mem[];
  if (threadIdx.x > 0) {
    mem[threadIdx.x] = 1;
  }
}
__global__ void other() {
  extern __shared__ T items [ ];
  items[threadIdx.x] = 1;
}
)";

std::string named(MemoryPlace place, unsigned line) {
  name_as_declared(place, two_kernels, line);
  return text_of(place);
}

}  // namespace

TEST_CASE("dynamic shared memory has the name that its function gives it") {
  const MemoryPlace place{MemorySpace::shared, "", 24, 8};
  CHECK(named(place, 9) == "mem[6]");
  CHECK(named(place, 14) == "items[3]");
  CHECK(named(place, 4) == "byte 24 of shared memory");
  CHECK(named(place, 0) == "byte 24 of shared memory");
}

TEST_CASE("what is indexed has the name of the only array in its line with such a type") {
  const std::string text = R"(constexpr int block = 16;
__constant__ float weights[block], others[4];
__global__ void k(const float* in, float* out) {
  __shared__ float tile[block][17];
  Point<int> points[3];
  out[0] = tile[0][20];
  out[1] = weights[16] + others[4];
  out[2] = in[3] + tile [1] [0];
  points[3] = points[0];
  tile[0][0] = tile[16][0] + others[in[0]] + others[5];
  out[3] = weights[block] + tile[0][block];
}
)";
  const auto named_of = [&](const char* type, unsigned line) {
    MemoryPlace place;
    place.name = type;
    name_as_declared(place, text, line);
    return place.name;
  };
  CHECK(named_of("float [17]", 6) == "a row of tile");
  CHECK(named_of("float [16]", 7) == "weights");
  CHECK(named_of("float [4]", 7) == "others");
  CHECK(named_of("float [16][17]", 8) == "tile");
  CHECK(named_of("Point<int> [3]", 9) == "points");
  CHECK(named_of("float [4]", 10) == "others");
  CHECK(named_of("float [5]", 10) == "float [5]");
  CHECK(named_of("float [16]", 11) == "weights");
  CHECK(named_of("float [16]", 40) == "float [16]");
  CHECK(named_of("buffers[2]", 7) == "buffers[2]");
}

TEST_CASE("a text that names one dynamic array names it in all functions") {
  using Array = DynamicArray;
  const auto in = [](const std::string& text) { return dynamic_array(text, 1); };
  CHECK(in("int f(); void g() { extern volatile __shared__ unsigned int a[]; }") == Array{"a", 4});
  CHECK(in("#include <x>\nextern float4 __shared__ a[];") == Array{"a", 16});
  CHECK(in("extern __shared__ std::uint8_t a[]; extern __shared__ std::uint8_t a[];") ==
        Array{"a", 1});
  CHECK(in("extern __shared__ float a[][2][32];") == Array{"a", 4, {2, 32}});
  CHECK(in("extern __shared__ float a[][unknown];") == Array{"a", 4});
  CHECK_FALSE(in("extern __shared__ float a[]; extern __shared__ float b[];"));
  CHECK_FALSE(in("__shared__ float a[32]; extern int b;"));
  CHECK_FALSE(in("extern __shared__"));
  CHECK_FALSE(in("/* extern __shared__ float a[];"));
}

TEST_CASE("an access out of dynamic shared memory says what the launch gives") {
  Finding finding;
  finding.kind = FindingKind::out_of_bounds;
  finding.memory = {MemorySpace::shared, "", 64, 4, 64};
  finding.first.kind = AccessKind::store;
  name_as_declared(finding.memory, two_kernels, 9);
  CHECK(text_of(finding).find(
            "writes mem[16], but the launch gives each block 64 bytes of dynamic") !=
        std::string::npos);
}
