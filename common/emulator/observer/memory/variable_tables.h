#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// The tables of the submission's variables that compile.sh adds: see edit_assembly.awk.
namespace tilelab::emulator {

struct TableEntry {
  const char* address;  ///< Where the entry itself is.
  std::uint64_t place;  ///< Its meaning depends on the table.
  std::uint64_t bytes;  ///< The variable's size.
  std::string name;     ///< The variable's name, as the source has it.
};

/// The static `__shared__` variables.
std::vector<TableEntry> shared_table();

/// A variable of another kind: `__device__`, `__constant__`, or the host's.
struct Variable {
  std::uintptr_t begin;
  std::uint64_t bytes;
  std::string name;
};

/// The variable that the address is in; null if there is none.
const Variable* variable_at(std::uintptr_t address);

/// The variable of several elements that an address is nearest to; null if none is as near as a
/// stray index of it may be.
const Variable* array_near(std::uintptr_t address, unsigned element_bytes);

}  // namespace tilelab::emulator
