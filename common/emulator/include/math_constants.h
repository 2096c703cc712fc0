#pragma once

/// CUDA's mathematical constants.

#include <numbers>

#define CUDART_INF_F __builtin_inff()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_MIN_DENORM_F __FLT_DENORM_MIN__
#define CUDART_MAX_NORMAL_F __FLT_MAX__
#define CUDART_NEG_ZERO_F (-0.0f)
#define CUDART_ZERO_F 0.0f
#define CUDART_ONE_F 1.0f
#define CUDART_SQRT_TWO_F (std::numbers::sqrt2_v<float>)
#define CUDART_L2E_F (std::numbers::log2e_v<float>)
#define CUDART_LN2_F (std::numbers::ln2_v<float>)
#define CUDART_PI_F (std::numbers::pi_v<float>)
#define CUDART_PIO2_F (std::numbers::pi_v<float> / 2)
#define CUDART_PIO4_F (std::numbers::pi_v<float> / 4)

#define CUDART_INF __builtin_inf()
#define CUDART_NAN __builtin_nan("")
#define CUDART_MIN_DENORM __DBL_DENORM_MIN__
#define CUDART_MAX_NORMAL __DBL_MAX__
#define CUDART_NEG_ZERO (-0.0)
#define CUDART_ZERO 0.0
#define CUDART_ONE 1.0
#define CUDART_SQRT_TWO (std::numbers::sqrt2)
#define CUDART_L2E (std::numbers::log2e)
#define CUDART_LN2 (std::numbers::ln2)
#define CUDART_PI (std::numbers::pi)
#define CUDART_PIO2 (std::numbers::pi / 2)
#define CUDART_PIO4 (std::numbers::pi / 4)
