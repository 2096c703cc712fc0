#error \
    "random numbers from cuRAND (curand_kernel.h) are not supported by the emulator: generate them on the host"
