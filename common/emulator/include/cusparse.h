#error "CUDA's libraries (cusparse.h) are not supported by the emulator: write the kernel yourself"
