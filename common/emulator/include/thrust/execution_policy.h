#error "Thrust is not supported by the emulator: write the kernel yourself"
