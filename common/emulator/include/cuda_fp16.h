#error "half-precision types (cuda_fp16.h) are not supported by the emulator: use float"
