#error \
    "CUDA's libraries (cusolverDn.h) are not supported by the emulator: write the kernel yourself"
