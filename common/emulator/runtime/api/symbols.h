#pragma once

namespace tilelab::emulator {

/// Whether the address can belong to a `__device__` or `__constant__` variable: it is among the
/// executable's variables. (It cannot tell a `__device__` variable from one of the host.)
bool is_symbol(const void* address);

}  // namespace tilelab::emulator
