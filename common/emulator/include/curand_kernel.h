#error \
    "random numbers from cuRAND (curand_kernel.h) are not supported by the emulator: make them on the host"
