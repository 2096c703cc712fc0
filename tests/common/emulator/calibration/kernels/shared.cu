// Shared loads and stores: how the lanes' words decide how many wavefronts a request takes. There
// is one warp per block, so that only the pattern can make a request wait.

#include "cases.h"
#include "lanes.h"

namespace tilelab::calibration {
namespace {

constexpr int grid = 4;
constexpr int tile_elements = 1088;  // room for 32 words of one bank besides a row of all banks

// Lane l loads the element of the tile that the data name, or none.
template <class T>
__global__ void shared_load(const T* in, const int* index, int* out) {
  __shared__ T tile[tile_elements];
#pragma unroll 1
  for (int k = threadIdx.x; k < tile_elements; k += warpSize) tile[k] = in[k];
  __syncthreads();
  const int k = index[threadIdx.x];
  if (k >= 0) out[blockIdx.x * warpSize + threadIdx.x] = sum(tile[k]);
}

// Lane l stores to the element of the tile that the data name, or to none, and loads it again.
template <class T>
__global__ void shared_store(const T* in, const int* index, int* out) {
  __shared__ T tile[tile_elements];
  const int i = blockIdx.x * warpSize + threadIdx.x;
  const int k = index[threadIdx.x];
  if (k >= 0) tile[k] = in[i];
  __syncthreads();
  if (k >= 0) out[i] = sum(tile[k]);
}

template <class T, class Scalar>
Case load_case(const std::string& type, const Pattern& lanes) {
  return {"shared_load_" + type + '_' + lanes.name, [=] {
            const auto values = generated<T, Scalar>(tile_elements);
            const Array<T> in(values);
            const Array<int> index(lanes.element);
            std::vector<int> expected(grid * warp_size, 0);
            const Array<int> out(expected);
            shared_load<T><<<grid, warp_size>>>(in, index, out);
            for (int i = 0; i < grid * warp_size; ++i) {
              const int k = lanes.element[i % warp_size];
              if (k != no_element) expected[i] = sum(values[k]);
            }
            return holds(out, expected);
          }};
}

template <class T, class Scalar>
Case store_case(const std::string& type, const Pattern& lanes) {
  return {"shared_store_" + type + '_' + lanes.name, [=] {
            const auto values = generated<T, Scalar>(grid * warp_size);
            const Array<T> in(values);
            const Array<int> index(lanes.element);
            std::vector<int> expected(grid * warp_size, 0);
            const Array<int> out(expected);
            shared_store<T><<<grid, warp_size>>>(in, index, out);
            for (int i = 0; i < grid * warp_size; ++i) {
              if (lanes.element[i % warp_size] != no_element) expected[i] = sum(values[i]);
            }
            return holds(out, expected);
          }};
}

/// Lanes 0 to degree - 1 touch different words of one bank, the others banks of their own.
Pattern conflict(int degree, int words_per_element) {
  const int same_bank = warp_size / words_per_element;
  return pattern("conflict_" + std::to_string(degree),
                 [=](int lane) { return lane < degree ? warp_size + lane * same_bank : lane; });
}

std::vector<Pattern> different_elements(int words_per_element) {
  const int same_bank = warp_size / words_per_element;
  std::vector<Pattern> patterns = partly_active();
  for (const int stride : {1, 2, 3, 4, 8, 16, 32}) {
    patterns.push_back(
        pattern("stride_" + std::to_string(stride), [=](int l) { return l * stride; }));
  }
  patterns.push_back(pattern("reversed", [](int l) { return 31 - l; }));
  patterns.push_back(pattern("offset_1", [](int l) { return l + 1; }));
  patterns.push_back(
      pattern("halves_in_same_banks", [](int l) { return l < 16 ? l : 512 + l - 16; }));
  patterns.push_back(pattern("quarters_in_same_banks", [](int l) { return l / 8 * 256 + l % 8; }));
  patterns.push_back(
      pattern("neighbors_in_same_banks", [=](int l) { return l / 2 + l % 2 * 16 * same_bank; }));
  for (std::uint32_t seed = 1; seed <= 4; ++seed) {
    patterns.push_back(shuffled(seed));
    patterns.push_back(scattered(tile_elements, seed));
  }
  for (int degree = 2; degree <= (words_per_element == 1 ? 32 : 8); ++degree) {
    patterns.push_back(conflict(degree, words_per_element));
  }
  return patterns;
}

std::vector<Pattern> repeated_elements() {
  std::vector<Pattern> patterns = {
      pattern("broadcast", [](int) { return 7; }),
      pattern("shared_by_2_lanes", [](int l) { return l / 2; }),
      pattern("shared_by_4_lanes", [](int l) { return l / 4; }),
      pattern("shared_by_8_lanes", [](int l) { return l / 8; }),
      pattern("shared_by_halves", [](int l) { return l % 16; }),
      pattern("shared_by_quarters", [](int l) { return l % 8; }),
      pattern("broadcast_per_half", [](int l) { return l / 16 * 512; }),
      pattern("broadcast_per_quarter", [](int l) { return l / 8 * 256; }),
      pattern("odd_lanes_broadcast", [](int l) { return l % 2 == 1 ? 512 : l; }),
  };
  for (std::uint32_t seed = 1; seed <= 4; ++seed) {
    patterns.push_back(repeated(64, seed));
    patterns.push_back(repeated(tile_elements, seed + 4));
  }
  return patterns;
}

/// Lanes i and i + 2 want the same, or nearly so.
std::vector<Pattern> agreeing_two_apart() {
  const auto of_pair = [](int l) { return l / 4 * 2 + l % 2; };
  std::vector<Pattern> patterns = {
      pattern("two_apart", of_pair),
      pattern("two_apart_in_same_banks", [=](int l) { return of_pair(l) * 32; }),
      pattern("two_apart_every_other", [=](int l) { return of_pair(l) * 2; }),
      pattern("two_apart_halves_repeat", [=](int l) { return of_pair(l % 16); }),
      pattern("two_apart_lower_half", [=](int l) { return l < 16 ? of_pair(l) : l; }),
      pattern("two_apart_first_lanes", [=](int l) { return l < 8 ? of_pair(l) : l; }),
      pattern("two_apart_but_one", [=](int l) { return l == 9 ? 100 : of_pair(l); }),
      pattern("two_apart_then_neighbors", [=](int l) { return l < 16 ? of_pair(l) : l / 2; }),
      pattern("two_apart_and_neighbors", [=](int l) { return l % 8 < 4 ? of_pair(l) : l / 2; }),
      pattern("two_apart_some_lanes", [=](int l) { return l % 8 == 2 ? no_element : of_pair(l); }),
      pattern("two_apart_even_lanes", [=](int l) { return l % 2 == 1 ? no_element : of_pair(l); }),
      pattern("four_apart", [](int l) { return l / 8 * 4 + l % 4; }),
      pattern("eight_apart", [](int l) { return l / 16 * 8 + l % 8; }),
      pattern("rows_of_4", [](int l) { return l / 4; }),
      pattern("columns_of_4", [](int l) { return l % 4; }),
      pattern("rows_of_2_by_4", [](int l) { return l / 8 * 2 + l % 2; }),
  };
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    const Pattern places = scattered(tile_elements, seed + 20);
    const std::string number = std::to_string(seed);
    patterns.push_back(pattern("two_apart_scattered_" + number,
                               [=](int l) { return places.element[of_pair(l)]; }));
    patterns.push_back(
        pattern("neighbors_scattered_" + number, [=](int l) { return places.element[l / 2]; }));
  }
  return patterns;
}

template <class T, class Scalar>
void add(std::vector<Case>& cases, const std::string& type) {
  constexpr int words = sizeof(T) < 4 ? 1 : sizeof(T) / 4;
  for (const Pattern& lanes : different_elements(words)) {
    cases.push_back(load_case<T, Scalar>(type, lanes));
    cases.push_back(store_case<T, Scalar>(type, lanes));
  }
  for (const Pattern& lanes : repeated_elements()) {
    cases.push_back(load_case<T, Scalar>(type, lanes));
  }
  for (const Pattern& lanes : agreeing_two_apart()) {
    cases.push_back(load_case<T, Scalar>(type, lanes));
  }
}

std::vector<Case> all() {
  std::vector<Case> cases;
  add<int, int>(cases, "int");
  add<double, double>(cases, "double");
  add<float4, float>(cases, "float4");
  for (const int stride : {1, 2, 4}) {
    const Pattern lanes =
        pattern("stride_" + std::to_string(stride), [=](int l) { return l * stride; });
    cases.push_back(load_case<signed char, signed char>("char", lanes));
    cases.push_back(store_case<signed char, signed char>("char", lanes));
    cases.push_back(load_case<short, short>("short", lanes));
    cases.push_back(store_case<short, short>("short", lanes));
    cases.push_back(load_case<float2, float>("float2", lanes));
    cases.push_back(load_case<float3, float>("float3", lanes));
  }
  return cases;
}

CALIBRATION_CASES(all);

}  // namespace
}  // namespace tilelab::calibration
