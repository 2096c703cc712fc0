#include "curand.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <vector>

#include "curand_kernel.h"

struct curandGenerator_st {
  bool is_on_host;
  unsigned long long seed = 0;
  unsigned long long offset = 0;
  curandStateXORWOW state{};
  bool has_begun = false;
};

namespace {

std::unordered_set<curandGenerator_t>& generators() {
  static auto* set = new std::unordered_set<curandGenerator_t>;
  return *set;
}

bool exists(curandGenerator_t generator) { return generators().contains(generator); }

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool is_on_host) {
  if (generator == nullptr) return CURAND_STATUS_INITIALIZATION_FAILED;
  if (type < CURAND_RNG_PSEUDO_DEFAULT || type >= CURAND_RNG_QUASI_DEFAULT) {
    return CURAND_STATUS_TYPE_ERROR;
  }
  *generator = *generators().insert(new curandGenerator_st{is_on_host}).first;
  return CURAND_STATUS_SUCCESS;
}

/// Fills an array, which is in device memory or in that of the host, with what `next` returns.
template <class T, class Next>
curandStatus_t generate(curandGenerator_t generator, T* output, std::size_t count, Next next) {
  if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  if (!generator->has_begun) {
    curand_init(generator->seed, 0, generator->offset, &generator->state);
    generator->has_begun = true;
  }
  std::vector<T> values(count);
  for (T& value : values) value = next(&generator->state);
  const cudaMemcpyKind kind = generator->is_on_host ? cudaMemcpyHostToHost : cudaMemcpyDefault;
  return cudaMemcpy(output, values.data(), count * sizeof(T), kind) == cudaSuccess
             ? CURAND_STATUS_SUCCESS
             : CURAND_STATUS_LAUNCH_FAILURE;
}

template <class T, class Next>
curandStatus_t generate_pairs(curandGenerator_t generator, T* output, std::size_t count,
                              Next next) {
  if (count % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return generate(generator, output, count, next);
}

/// Knuth's method for what is left after pieces of the mean that exp() can represent.
unsigned poisson(curandStateXORWOW* state, double lambda) {
  constexpr double step = 500;
  unsigned count = 0;
  double product = 1;
  for (double left = lambda;;) {
    product *= curand_uniform_double(state);
    while (product < 1 && left > 0) {
      const double part = std::min(left, step);
      product *= std::exp(part);
      left -= part;
    }
    if (product <= 1) return count;
    ++count;
  }
}

}  // namespace

extern "C" {

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type, false);
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (generators().erase(generator) == 0) return CURAND_STATUS_NOT_INITIALIZED;
  delete generator;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
  if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  generator->seed = seed;
  generator->has_begun = false;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  generator->offset = offset;
  generator->has_begun = false;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  return order < CURAND_ORDERING_QUASI_DEFAULT ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t) {
  return exists(generator) ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  return exists(generator) ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGetVersion(int* version) {
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned* output, std::size_t count) {
  return generate(generator, output, count, [](curandStateXORWOW* state) { return curand(state); });
}

curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* output,
                                     std::size_t count) {
  return generate(generator, output, count,
                  [](curandStateXORWOW* state) { return curand_uniform(state); });
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* output,
                                           std::size_t count) {
  return generate(generator, output, count,
                  [](curandStateXORWOW* state) { return curand_uniform_double(state); });
}

curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* output, std::size_t count,
                                    float mean, float deviation) {
  return generate_pairs(generator, output, count, [=](curandStateXORWOW* state) {
    return mean + deviation * curand_normal(state);
  });
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* output,
                                          std::size_t count, double mean, double deviation) {
  return generate_pairs(generator, output, count, [=](curandStateXORWOW* state) {
    return mean + deviation * curand_normal_double(state);
  });
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* output,
                                       std::size_t count, float mean, float deviation) {
  return generate_pairs(generator, output, count, [=](curandStateXORWOW* state) {
    return std::exp(mean + deviation * curand_normal(state));
  });
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* output,
                                             std::size_t count, double mean, double deviation) {
  return generate_pairs(generator, output, count, [=](curandStateXORWOW* state) {
    return std::exp(mean + deviation * curand_normal_double(state));
  });
}

curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned* output,
                                     std::size_t count, double lambda) {
  if (!(lambda > 0)) return CURAND_STATUS_OUT_OF_RANGE;
  return generate(generator, output, count,
                  [=](curandStateXORWOW* state) { return poisson(state, lambda); });
}

}  // extern "C"
