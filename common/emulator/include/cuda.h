#error \
    "the driver API (cuda.h) is not supported by the emulator: include <cuda_runtime.h> and use the runtime API"
