#pragma once

#include <cstdint>

namespace tilelab::estimator {

/// A number of 16 bits: the nearest one, and the even one of two.
std::uint32_t half_of(double value);

/// The same in bfloat16, which has the exponents of a float.
std::uint32_t brain_half_of(double value);

double real_of_half(std::uint32_t bits);
double real_of_brain_half(std::uint32_t bits);

}  // namespace tilelab::estimator
