// glibc's <math.h> declares these names too, so they cannot be inline functions of ours. On a GPU
// they are approximations; here they are as exact as the C library.

#include <cmath>

extern "C" {

float __expf(float x) noexcept { return std::exp(x); }
float __exp10f(float x) noexcept { return std::pow(10.0f, x); }
float __logf(float x) noexcept { return std::log(x); }
float __log2f(float x) noexcept { return std::log2(x); }
float __log10f(float x) noexcept { return std::log10(x); }
float __powf(float x, float y) noexcept { return std::pow(x, y); }
float __sinf(float x) noexcept { return std::sin(x); }
float __cosf(float x) noexcept { return std::cos(x); }
float __tanf(float x) noexcept { return std::tan(x); }
float __tanhf(float x) noexcept { return std::tanh(x); }
void __sincosf(float x, float* sine, float* cosine) noexcept {
  *sine = std::sin(x);
  *cosine = std::cos(x);
}

}  // extern "C"
