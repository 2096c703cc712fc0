// cuRAND's functions for the host: which numbers they make, and where.

#include <curand.h>
#include <curand_kernel.h>

#include <cmath>

#include "device.h"

namespace {

/// A generator that is destroyed at the end of its scope.
class Generator {
 public:
  explicit Generator(unsigned long long seed) {
    REQUIRE(curandCreateGenerator(&generator_, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS);
    REQUIRE(curandSetPseudoRandomGeneratorSeed(generator_, seed) == CURAND_STATUS_SUCCESS);
  }
  ~Generator() { curandDestroyGenerator(generator_); }
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;
  operator curandGenerator_t() const { return generator_; }

 private:
  curandGenerator_t generator_ = nullptr;
};

std::vector<float> uniform(curandGenerator_t generator, std::size_t count) {
  DeviceArray<float> numbers(count);
  REQUIRE(curandGenerateUniform(generator, numbers, count) == CURAND_STATUS_SUCCESS);
  return numbers.values();
}

struct Moments {
  double mean = 0;
  double deviation = 0;
};

template <class T>
Moments moments(const std::vector<T>& values) {
  Moments result;
  for (const T value : values) result.mean += value / static_cast<double>(values.size());
  for (const T value : values) {
    result.deviation += std::pow(value - result.mean, 2) / static_cast<double>(values.size());
  }
  result.deviation = std::sqrt(result.deviation);
  return result;
}

__global__ void first_number(unsigned long long seed, float* out) {
  curandState state;
  curand_init(seed, 0, 0, &state);
  *out = curand_uniform(&state);
}

}  // namespace

TEST_CASE("a generator's numbers depend on its seed, go on, and are those of a kernel") {
  const Generator one(7), same(7), other(8);
  const std::vector<float> numbers = uniform(one, 100);
  REQUIRE(numbers == uniform(same, 100));
  REQUIRE(numbers != uniform(other, 100));
  REQUIRE(numbers != uniform(one, 100));
  DeviceArray<float> first(1);
  first_number<<<1, 1>>>(7, first);
  REQUIRE(first.values()[0] == numbers[0]);
}

TEST_CASE("an offset skips numbers") {
  const Generator one(7), later(7);
  REQUIRE(curandSetGeneratorOffset(later, 3) == CURAND_STATUS_SUCCESS);
  REQUIRE(uniform(one, 4)[3] == uniform(later, 1)[0]);
}

TEST_CASE("numbers have the mean and the deviation that the program asks for") {
  constexpr std::size_t count = 20000;
  const Generator generator(1);
  const std::vector<float> numbers = uniform(generator, count);
  REQUIRE(std::abs(moments(numbers).mean - 0.5) < 0.01);
  for (const float number : numbers) REQUIRE((number > 0 && number <= 1));
  DeviceArray<double> normal(count);
  REQUIRE(curandGenerateNormalDouble(generator, normal, count, 3, 2) == CURAND_STATUS_SUCCESS);
  REQUIRE(std::abs(moments(normal.values()).mean - 3) < 0.05);
  REQUIRE(std::abs(moments(normal.values()).deviation - 2) < 0.05);
  DeviceArray<unsigned> counts(count);
  REQUIRE(curandGeneratePoisson(generator, counts, count, 1000) == CURAND_STATUS_SUCCESS);
  REQUIRE(std::abs(moments(counts.values()).mean - 1000) < 1);
  REQUIRE(std::abs(moments(counts.values()).deviation - std::sqrt(1000)) < 1);
}

TEST_CASE("a generator for the host writes the host's memory") {
  curandGenerator_t generator = nullptr;
  REQUIRE(curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_XORWOW) == CURAND_STATUS_SUCCESS);
  std::vector<float> numbers(4, -1);
  REQUIRE(curandGenerateUniform(generator, numbers.data(), 4) == CURAND_STATUS_SUCCESS);
  for (const float number : numbers) REQUIRE(number > 0);
  REQUIRE(curandDestroyGenerator(generator) == CURAND_STATUS_SUCCESS);
  REQUIRE(curandDestroyGenerator(generator) == CURAND_STATUS_NOT_INITIALIZED);
}

TEST_CASE("what cuRAND refuses is refused") {
  const Generator generator(1);
  DeviceArray<float> numbers(3);
  REQUIRE(curandGenerateNormal(generator, numbers, 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  REQUIRE(curandGenerateUniform(generator, numbers, 4) == CURAND_STATUS_LAUNCH_FAILURE);
  static_cast<void>(cudaGetLastError());
  curandGenerator_t quasi = nullptr;
  REQUIRE(curandCreateGenerator(&quasi, CURAND_RNG_QUASI_SOBOL32) == CURAND_STATUS_TYPE_ERROR);
}
