#pragma once

namespace tilelab::emulator {

/// Whether the address can be a `__device__` or `__constant__` variable's: whether it is in the
/// executable's own variables. (A host variable there cannot be told from a `__device__` one.)
bool is_symbol(const void* address);

}  // namespace tilelab::emulator
