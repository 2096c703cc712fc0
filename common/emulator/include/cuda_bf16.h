#error "half-precision types (cuda_bf16.h) are not supported by the emulator: use float"
