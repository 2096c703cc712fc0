#error "textures and surfaces are not supported by the emulator: read global memory"
