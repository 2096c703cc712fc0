#pragma once

namespace tilelab::emulator {

/// Whether the address can belong to a `__device__` or `__constant__` variable: it is among the
/// executable's variables. (It cannot tell a `__device__` variable from one of the host.)
bool is_symbol(const void* address);

/// Whether it belongs to a `__constant__` variable, and the program has the address from host code
/// alone: the work that is done is not that of a call which names a variable, and
/// cudaGetSymbolAddress() has told none.
bool is_hosts_constant(const void* address);

}  // namespace tilelab::emulator
