#error \
    "cooperative groups are not supported by the emulator: use __syncthreads() and the __*_sync() warp functions"
