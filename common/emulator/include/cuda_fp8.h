#error "half-precision types (cuda_fp8.h) are not supported by the emulator: use float"
