#include "emulator/runtime/api/symbols.h"

#include <cstdint>
#include <string_view>

#include "cuda_runtime_api.h"
#include "emulator/runtime/answer.h"
#include "emulator/runtime/api/variable_copies.h"
#include "emulator/runtime/api_call.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/executable_segments.h"
#include "emulator/runtime/listener.h"
#include "emulator/runtime/streams/stream_of_work.h"

extern "C" {
[[gnu::weak, gnu::visibility("hidden")]] extern const char __start_tilelab_constant[];
[[gnu::weak, gnu::visibility("hidden")]] extern const char __stop_tilelab_constant[];
}

namespace tilelab::emulator {
namespace {

bool has_told_constant = false;  // cudaGetSymbolAddress()

bool is_constant(const void* address) {
  return address >= __start_tilelab_constant && address < __stop_tilelab_constant;
}

/// Whether the work that is done is that of a call which names a variable.
bool names_variable() {
  return std::string_view(NameOfWork::of("")).find("Symbol") != std::string_view::npos;
}

/// Whether this many bytes at this offset are inside the symbol.
bool fits(std::size_t symbol_bytes, std::size_t offset, std::size_t bytes) {
  return offset <= symbol_bytes && bytes <= symbol_bytes - offset;
}

/// A call that copies this many bytes to or from a place in a symbol.
/// @param from_or_to_host  the direction that the copy may have, besides that within the device
/// @param copy             gets the place
template <class Copy>
cudaError_t copy_at(const void* symbol, std::size_t symbol_bytes, std::size_t offset,
                    std::size_t bytes, cudaMemcpyKind kind, cudaMemcpyKind from_or_to_host,
                    const char* name, Copy copy) {
  return api_call(
      [&] {
        if (!is_symbol(symbol)) return cudaErrorInvalidSymbol;
        if (!fits(symbol_bytes, offset, bytes)) {
          return explained(cudaErrorInvalidValue,
                           "%zu bytes from byte %zu on do not fit into the variable, which has %zu",
                           bytes, offset, symbol_bytes);
        }
        const bool is_known = kind == from_or_to_host || kind == cudaMemcpyDeviceToDevice ||
                              kind == cudaMemcpyDefault;
        if (!is_known) return cudaErrorInvalidMemcpyDirection;
        const NameOfWork work(name);
        return copy(static_cast<char*>(const_cast<void*>(symbol)) + offset);
      },
      name);
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

bool is_hosts_constant(const void* address) {
  return is_constant(address) && !names_variable() && !has_told_constant;
}

cudaError_t copy_to_symbol(const void* symbol, std::size_t symbol_bytes, const void* source,
                           std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
  return copy_at(symbol, symbol_bytes, offset, bytes, kind, cudaMemcpyHostToDevice,
                 "cudaMemcpyToSymbol",
                 [&](void* place) { return cudaMemcpy(place, source, bytes, kind); });
}

cudaError_t copy_to_symbol_async(const void* symbol, std::size_t symbol_bytes, const void* source,
                                 std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                 cudaStream_t stream) {
  return copy_at(symbol, symbol_bytes, offset, bytes, kind, cudaMemcpyHostToDevice,
                 "cudaMemcpyToSymbolAsync",
                 [&](void* place) { return copy_to_variable(place, source, bytes, kind, stream); });
}

cudaError_t copy_from_symbol(void* destination, const void* symbol, std::size_t symbol_bytes,
                             std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
  return copy_at(symbol, symbol_bytes, offset, bytes, kind, cudaMemcpyDeviceToHost,
                 "cudaMemcpyFromSymbol",
                 [&](void* place) { return cudaMemcpy(destination, place, bytes, kind); });
}

cudaError_t copy_from_symbol_async(void* destination, const void* symbol, std::size_t symbol_bytes,
                                   std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                   cudaStream_t stream) {
  return copy_at(symbol, symbol_bytes, offset, bytes, kind, cudaMemcpyDeviceToHost,
                 "cudaMemcpyFromSymbolAsync", [&](void* place) {
                   return copy_from_variable(destination, place, bytes, kind, stream);
                 });
}

cudaError_t symbol_address(void** pointer, const void* symbol, std::size_t bytes) {
  return api_call(
      [&] {
        if (!can_answer(pointer)) return cudaErrorInvalidValue;
        if (!is_symbol(symbol)) return cudaErrorInvalidSymbol;
        has_told_constant |= is_constant(symbol);
        tell(&Listener::symbol_address_told, symbol, bytes);
        *pointer = const_cast<void*>(symbol);
        return cudaSuccess;
      },
      "cudaGetSymbolAddress");
}

}  // namespace tilelab::emulator
