#error "CUDA's libraries (cublas_v2.h) are not supported by the emulator: write the kernel yourself"
