#include "emulator/runtime/api/symbols.h"

#include <cstdint>

#include "cuda_runtime_api.h"
#include "emulator/runtime/answer.h"
#include "emulator/runtime/api_call.h"
#include "emulator/runtime/executable_segments.h"
#include "emulator/runtime/listener.h"
#include "emulator/runtime/streams/stream_of_work.h"

namespace tilelab::emulator {
namespace {

/// Whether so many bytes at this offset are inside the symbol.
bool fits(std::size_t symbol_bytes, std::size_t offset, std::size_t bytes) {
  return offset <= symbol_bytes && bytes <= symbol_bytes - offset;
}

}  // namespace

bool is_symbol(const void* address) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  bool found = false;
  for_each_executable_segment([&](const auto& segment, std::uintptr_t begin) {
    if (segment.p_type == PT_LOAD && wanted - begin < segment.p_memsz) found = true;
  });
  return found;
}

cudaError_t copy_to_symbol(const void* symbol, std::size_t symbol_bytes, const void* source,
                           std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
  return api_call(
      [&] {
        if (!is_symbol(symbol)) return cudaErrorInvalidSymbol;
        if (!fits(symbol_bytes, offset, bytes)) return cudaErrorInvalidValue;
        if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice &&
            kind != cudaMemcpyDefault) {
          return cudaErrorInvalidMemcpyDirection;
        }
        auto* destination = static_cast<char*>(const_cast<void*>(symbol)) + offset;
        const NameOfWork name("cudaMemcpyToSymbol");
        return cudaMemcpy(destination, source, bytes, kind);
      },
      "cudaMemcpyToSymbol");
}

cudaError_t copy_from_symbol(void* destination, const void* symbol, std::size_t symbol_bytes,
                             std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
  return api_call(
      [&] {
        if (!is_symbol(symbol)) return cudaErrorInvalidSymbol;
        if (!fits(symbol_bytes, offset, bytes)) return cudaErrorInvalidValue;
        if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice &&
            kind != cudaMemcpyDefault) {
          return cudaErrorInvalidMemcpyDirection;
        }
        const NameOfWork name("cudaMemcpyFromSymbol");
        return cudaMemcpy(destination, static_cast<const char*>(symbol) + offset, bytes, kind);
      },
      "cudaMemcpyFromSymbol");
}

cudaError_t symbol_address(void** pointer, const void* symbol, std::size_t bytes) {
  return api_call([&] {
    if (!can_answer(pointer)) return cudaErrorInvalidValue;
    if (!is_symbol(symbol)) return cudaErrorInvalidSymbol;
    tell(&Listener::symbol_address_told, symbol, bytes);
    *pointer = const_cast<void*>(symbol);
    return cudaSuccess;
  });
}

}  // namespace tilelab::emulator
