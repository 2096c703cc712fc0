#pragma once

#include <cstdint>

namespace tilelab::emulator {

/// Whether an instruction of AArch64 that accesses memory writes it. An atomic operation does.
/// Linux may tell this about a fault, but not every emulator of the processor passes it on.
bool writes_memory(std::uint32_t instruction);

}  // namespace tilelab::emulator
