#error \
    "random numbers from cuRAND (curand.h) are not supported by the emulator: make them on the host"
