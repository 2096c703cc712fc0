#include "report/declarations/names.h"

#include <cstdint>
#include <string>
#include <utility>

#include "report/declarations/array_shape.h"
#include "report/declarations/dynamic_array.h"
#include "report/declarations/indexed_array.h"

namespace tilelab::report {
namespace {

void count_elements(MemoryPlace& memory, std::string_view text) {
  const std::uint64_t bytes = memory.size * memory.bytes;
  memory.shape = array_shape(text, memory.name, bytes);
  if (memory.shape.empty()) return;
  std::uint64_t elements = 1;
  for (const std::uint64_t length : memory.shape) elements *= length;
  if (memory.index >= 0) {
    memory.index = memory.index * memory.bytes / static_cast<std::int64_t>(bytes / elements);
  }
  memory.size = elements;
}

void name_dynamic(MemoryPlace& memory, std::string_view text, unsigned line) {
  const auto array = dynamic_array(text, line);
  if (!array || memory.bytes == 0 || memory.index < 0) return;
  memory.name = array->name;
  memory.is_dynamic = true;
  // Most accesses are to whole elements.
  memory.index /= array->element_bytes > 0 ? array->element_bytes : memory.bytes;
  if (array->rows.empty()) return;
  memory.shape = {1};  // the launch decides how many rows there are
  memory.shape.insert(memory.shape.end(), array->rows.begin(), array->rows.end());
}

/// Whether it is the name of an array's type, such as "float [17]".
bool is_type(std::string_view name) { return name.ends_with(']') && name.find(" [") != name.npos; }

}  // namespace

void name_as_declared(MemoryPlace& memory, std::string_view text, unsigned line) {
  if (is_type(memory.name)) {
    if (std::string name = indexed_array(text, line, memory.name); !name.empty()) {
      memory.name = std::move(name);
    }
    return;
  }
  if (memory.space != MemorySpace::shared) return;
  memory.name.empty() ? name_dynamic(memory, text, line) : count_elements(memory, text);
}

}  // namespace tilelab::report
