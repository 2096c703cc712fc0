// In a checked build, g++ calls this function where an index is outside of the array that the type
// of the indexed expression names: past the end of a row, or of a member. The access that follows
// may be inside of the same allocation. g++ promises the name and its meaning, because libubsan can
// be replaced.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "emulator/observer/dispatcher.h"
#include "emulator/observer/hooks/record_access.h"
#include "emulator/runtime/execution/builtin_variables.h"

using namespace tilelab::emulator;

namespace {

struct TypeDescriptor {
  std::uint16_t kind;
  std::uint16_t info;  // of an integer: its size, and whether it is signed

  /// "'float [16]'", which follows the struct.
  const char* name() const { return reinterpret_cast<const char*>(this + 1); }
};

struct OutOfBounds {
  const char* file;
  std::uint32_t line;
  std::uint32_t column;
  const TypeDescriptor* array;
  const TypeDescriptor* index;
};

std::string without_quotes(const char* name) {
  std::string text = name;
  if (text.size() >= 2 && text.front() == '\'') text = text.substr(1, text.size() - 2);
  return text;
}

/// The first of the extents of "float [16][17]"; 0 if there is none.
unsigned long extent_of(const std::string& type) {
  const std::size_t bracket = type.find('[');
  return bracket == std::string::npos ? 0 : std::strtoul(type.c_str() + bracket + 1, nullptr, 10);
}

std::int64_t with_sign(const TypeDescriptor& type, std::uintptr_t index) {
  const bool is_signed = (type.info & 1) != 0;
  const unsigned unused_bits = is_signed ? 64 - (1u << (type.info >> 1)) : 0;
  return static_cast<std::int64_t>(index << unused_bits) >> unused_bits;
}

}  // namespace

extern "C" void __ubsan_handle_out_of_bounds(const OutOfBounds* data, std::uintptr_t index) {
  if (!is_kernel_thread()) return;
  const std::string type = without_quotes(data->array->name());
  const unsigned long extent = extent_of(type);
  // An array of one element at the end of a struct stands for as many as were allocated.
  if (extent <= 1) return;
  const Code code = make_code(compress_place(TILELAB_CALLER), AccessKind::load, 0);
  tilelab::report::MemoryPlace element;
  element.name = type;
  element.index = with_sign(*data->index, index);
  element.size = extent;
  analyses().findings.add(tilelab::report::FindingKind::index_out_of_bounds, element,
                          {side_of(code, blockIdx, threadIdx)});
}
