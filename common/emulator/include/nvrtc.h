#error "the driver API (nvrtc.h) is not supported by the emulator: use the runtime API"
