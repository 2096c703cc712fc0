#include "emulator/runtime/api/symbols.h"

#include <cstdint>

#include "cuda_runtime_api.h"
#include "emulator/runtime/answer.h"
#include "emulator/runtime/api/variable_copies.h"
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

/// Whether so many bytes can be copied to or from there.
/// @param from_or_to_host  the direction that the copy may have, beside that within the device
cudaError_t check(const void* symbol, std::size_t symbol_bytes, std::size_t bytes,
                  std::size_t offset, cudaMemcpyKind kind, cudaMemcpyKind from_or_to_host) {
  if (!is_symbol(symbol)) return cudaErrorInvalidSymbol;
  if (!fits(symbol_bytes, offset, bytes)) return cudaErrorInvalidValue;
  const bool is_known =
      kind == from_or_to_host || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
  return is_known ? cudaSuccess : cudaErrorInvalidMemcpyDirection;
}

void* place_in(const void* symbol, std::size_t offset) {
  return static_cast<char*>(const_cast<void*>(symbol)) + offset;
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
        const cudaError_t error =
            check(symbol, symbol_bytes, bytes, offset, kind, cudaMemcpyHostToDevice);
        if (error != cudaSuccess) return error;
        const NameOfWork name("cudaMemcpyToSymbol");
        return cudaMemcpy(place_in(symbol, offset), source, bytes, kind);
      },
      "cudaMemcpyToSymbol");
}

cudaError_t copy_to_symbol_async(const void* symbol, std::size_t symbol_bytes, const void* source,
                                 std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                 cudaStream_t stream) {
  return api_call(
      [&] {
        const cudaError_t error =
            check(symbol, symbol_bytes, bytes, offset, kind, cudaMemcpyHostToDevice);
        if (error != cudaSuccess) return error;
        return copy_to_variable(place_in(symbol, offset), source, bytes, kind, stream);
      },
      "cudaMemcpyToSymbolAsync");
}

cudaError_t copy_from_symbol(void* destination, const void* symbol, std::size_t symbol_bytes,
                             std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
  return api_call(
      [&] {
        const cudaError_t error =
            check(symbol, symbol_bytes, bytes, offset, kind, cudaMemcpyDeviceToHost);
        if (error != cudaSuccess) return error;
        const NameOfWork name("cudaMemcpyFromSymbol");
        return cudaMemcpy(destination, place_in(symbol, offset), bytes, kind);
      },
      "cudaMemcpyFromSymbol");
}

cudaError_t copy_from_symbol_async(void* destination, const void* symbol, std::size_t symbol_bytes,
                                   std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                   cudaStream_t stream) {
  return api_call(
      [&] {
        const cudaError_t error =
            check(symbol, symbol_bytes, bytes, offset, kind, cudaMemcpyDeviceToHost);
        if (error != cudaSuccess) return error;
        return copy_from_variable(destination, place_in(symbol, offset), bytes, kind, stream);
      },
      "cudaMemcpyFromSymbolAsync");
}

cudaError_t symbol_address(void** pointer, const void* symbol, std::size_t bytes) {
  return api_call(
      [&] {
        if (!can_answer(pointer)) return cudaErrorInvalidValue;
        if (!is_symbol(symbol)) return cudaErrorInvalidSymbol;
        tell(&Listener::symbol_address_told, symbol, bytes);
        *pointer = const_cast<void*>(symbol);
        return cudaSuccess;
      },
      "cudaGetSymbolAddress");
}

}  // namespace tilelab::emulator
