// Where code runs: what the front end must not mistake for a call between host and device.

#include <cmath>
#include <utility>

#include "device.h"

namespace {

int twice(int value) { return 2 * value; }
__device__ int twice(float value) { return static_cast<int>(3 * value); }

__host__ __device__ constexpr int next(int value) { return value + 1; }

// Names of host functions and variables that kernels use for something else.
int wrap(int place) { return place; }
int total = 5, turns = 6;
const int step = 4;
constexpr float scale = 0.5f;
constexpr int sizes[] = {1, 2, 3};
__constant__ int offsets[2] = {10, 20};
__device__ int counter = 7;

struct Pair {
  int first, second;
  __host__ __device__ Pair(int a, int b) : first{a}, second(b) {}
  __device__ int sum() const { return first + second; }
  int on_host() const { return first * second; }
  Pair& operator=(const Pair&) = default;
  __device__ bool operator==(const Pair& other) const { return first == other.first; }
  __device__ Pair& operator+=(const Pair& other);
  __device__ static int count() { return 2; }
};

// Members with names of kernels.
struct Step {
  int first, apply;
  Step(int a, int b) noexcept : first{a}, apply(b) {}
};

struct Plain {
  int value = 3;
  Plain() = default;
};

template <class T, int count = 2>
struct Array {
  T values[count];
  __device__ T& operator[](int i) { return values[i]; }
};

__device__ auto double_of(int value) -> int { return value + value; }

template <class turns>
__device__ turns as(int value) {
  return turns(value);
}

template <class Function>
__global__ void apply(Function function, int* out) {
  *out = function(*out);
}

struct AddOne {
  __device__ int operator()(int value) const { return next(value); }
};

__global__ void local_class(int* out) {
  struct Box {
    int value;
    __device__ int get() const { return value; }
    __host__ __device__ bool operator==(const Box& other) const { return value == other.value; }
  };
  static __device__ int times = 0;
  const Box box{3};
  ++times;
  *out = box == Box{box.get()} ? times : 0;
}

__global__ void everything(int* out, int total) {
  extern __shared__ int dynamic[];
  __shared__ int tile[sizeof(sizes) / sizeof(int)];
  auto wrap = [&](int place) { return place % step + total; };
  Pair pair(3, 4);
  Plain plain;
  Array<int> array{{1, 2}};
  int moved = std::move(plain.value);
  const float root = std::sqrt(16.0f) * scale;
  int none = 0, turns = none;
  dynamic[0] = twice(1.0f) + as<int>(turns) + wrap(6) + pair.sum() + next(moved) + array[1];
  tile[0] = static_cast<int>(root) + offsets[1] + counter + double_of(1);
  __syncthreads();
  *out = dynamic[0] + tile[0];
}

template <class Kernel>
void start(Kernel kernel, int* out) {
  kernel<<<1, 1, sizeof(int)>>>(out, 1);
}

}  // namespace

TEST_CASE("a kernel calls what device code may call, whatever the host's names are") {
  DeviceArray<int> out(1);
  start(everything, static_cast<int*>(out));
  // dynamic: 3 + 3 + 7 + 4 + 2; tile: 2 + 20 + 7 + 2
  REQUIRE(out.values() == std::vector<int>{19 + 31});
  REQUIRE(twice(2) + wrap(1) + total + turns - 6 + Pair(2, 3).on_host() == 16);
}

TEST_CASE("a local class may have functions for the device, and a kernel static variables") {
  DeviceArray<int> out(1);
  local_class<<<1, 1>>>(static_cast<int*>(out));
  local_class<<<1, 1>>>(static_cast<int*>(out));
  REQUIRE(out.values() == std::vector<int>{2});
}

TEST_CASE("a member may have a kernel's name, and a constructor that initializes it") {
  const Step step(1, 2);
  REQUIRE(step.first + step.apply == 3);
}

TEST_CASE("a struct with an operator() for the device can be an argument") {
  DeviceArray<int> out(std::vector<int>{1});
  apply<<<1, 1>>>(AddOne{}, static_cast<int*>(out));
  REQUIRE(out.values() == std::vector<int>{2});
}

TEST_CASE("a lambda of host code may be for the device") {
  DeviceArray<int> out(std::vector<int>{1});
  const int more = 5;
  const auto for_both = [=] __host__ __device__(int value) { return value + more; };
  apply<<<1, 1>>>([for_both] __device__(int value) mutable { return __popc(for_both(value)); },
                  static_cast<int*>(out));
  REQUIRE(out.values() == std::vector<int>{2});
  REQUIRE(for_both(1) == 6);
}
