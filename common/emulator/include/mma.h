#error "tensor cores (mma.h) are not supported by the emulator: write the loops yourself"
