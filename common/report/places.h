#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/access.h"
#include "schema/fields.h"

/// Where in the source, and where in memory.
namespace tilelab::report {

/// A place in the source. The observer only knows the address of the machine code, as `addr2line`
/// expects it for the executable. SourceLines (source_lines.h) looks up the rest, in a process that
/// may run programs.
struct SourcePlace {
  std::uint64_t code = 0;  ///< The address of the code; 0 if file and line are known already.
  std::string file;        ///< The path of the source file; "" until it was looked up.
  unsigned line = 0;       ///< The number of the line; 0 until it was looked up.
};
TILELAB_FIELDS(SourcePlace, code, file, line)

/// A place in memory, with as much of a name as is known.
struct MemoryPlace {
  MemorySpace space = MemorySpace::global;  ///< The memory that the place is in.
  std::string name;                         ///< The name of the array; "" if it is unknown.
  /// The element of the named array; without a name, the offset in bytes into the memory space.
  /// Through a null pointer it is -1.
  std::int64_t index = 0;
  unsigned bytes = 0;  ///< How many bytes were accessed.
  /// The named array has this many elements; without a name, the memory space this many bytes. 0 if
  /// it is not known.
  std::uint64_t size = 0;
  bool is_own = false;  ///< Whether it is device memory that the submission allocated itself.
  /// The lengths of the named array's dimensions, if it has several and whoever reads the report
  /// knows them.
  std::vector<std::uint64_t> shape = {};
  std::uint64_t room = 0;  ///< The bytes of an array that is smaller than the element accessed.
  /// Whether it is dynamic shared memory that whoever reads the report could name. Then `size`
  /// still is in bytes.
  bool is_dynamic = false;
};
TILELAB_FIELDS(MemoryPlace, space, name, index, bytes, size, is_own, shape, room, is_dynamic)

}  // namespace tilelab::report
