#include "emulator/runtime/api/allocation_name.h"

#include <utility>

#include "cuda_runtime_api.h"

namespace tilelab::emulator {
namespace {
AllocationName next;
}  // namespace

void name_allocation(const char* text, std::size_t element_bytes) { next = {text, element_bytes}; }

AllocationName take_allocation_name() { return std::exchange(next, {}); }

}  // namespace tilelab::emulator
