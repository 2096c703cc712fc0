#error "CUDA's libraries (cufft.h) are not supported by the emulator: write the kernel yourself"
