#error \
    "random numbers from cuRAND (curand.h) are not supported by the emulator: generate them on the host"
