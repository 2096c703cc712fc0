#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "cuda_runtime_api.h"
#include "emulator/emulator.h"
#include "emulator/runtime/answer.h"
#include "emulator/runtime/api/pools.h"
#include "emulator/runtime/api/symbols.h"
#include "emulator/runtime/api/variable_copies.h"
#include "emulator/runtime/api_call.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/faults/signals.h"
#include "emulator/runtime/listener.h"
#include "emulator/runtime/memory/device_memory.h"
#include "emulator/runtime/memory/host_arrays.h"
#include "emulator/runtime/memory/host_keeper.h"
#include "emulator/runtime/memory/host_reads.h"
#include "emulator/runtime/memory/pinned_memory.h"
#include "emulator/runtime/recording/recorder.h"
#include "emulator/runtime/streams/capture.h"
#include "emulator/runtime/streams/stream_of_work.h"
#include "emulator/runtime/streams/streams.h"

using namespace tilelab::emulator;

namespace {

bool may_share = false;  // memory between host code and kernels

DeviceMemory& device_memory() { return DeviceMemory::instance(); }
HostArrays& host_arrays() { return HostArrays::instance(); }

/// While an object of this class lives, a copy can read and write both memories.
struct CopyAccess {
  DeviceMemory::Access device{device_memory()};
  HostArrays::Access host{host_arrays()};
};

constexpr std::size_t pitch_alignment = 512;

/// Whether a copy may treat the range as device memory.
bool is_device_range(const void* pointer, std::size_t bytes) {
  return device_memory().is_allocated(pointer, bytes) ||
         (is_symbol(pointer) && !is_hosts_constant(pointer));
}

/// Whether a copy may treat the pointer as one to host memory: no kernel alone may use it.
bool is_host_pointer(const void* pointer) {
  return pointer != nullptr &&
         (!device_memory().contains(pointer) || device_memory().is_for_host(pointer));
}

/// Whether the pointer names device memory, or a variable that may be a `__device__` one.
bool may_be_device(const void* pointer) {
  return device_memory().contains(pointer) || is_symbol(pointer);
}

/// Whether a copy may read this host memory. Only of the caller's arrays is the end known.
bool may_read_host(const void* pointer, std::size_t bytes) {
  return is_host_pointer(pointer) &&
         (!host_arrays().contains(pointer) || host_arrays().has(pointer, bytes));
}

/// Whether a copy may write this host memory.
bool may_copy_to_host(const void* pointer, std::size_t bytes) {
  if (host_arrays().contains(pointer)) return host_arrays().has(pointer, bytes);
  return is_host_pointer(pointer) && may_write_host(pointer, bytes);
}

/// The copy's direction as its call spells it.
const char* name_of(cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      return "cudaMemcpyHostToHost";
    case cudaMemcpyHostToDevice:
      return "cudaMemcpyHostToDevice";
    case cudaMemcpyDeviceToHost:
      return "cudaMemcpyDeviceToHost";
    case cudaMemcpyDeviceToDevice:
      return "cudaMemcpyDeviceToDevice";
    default:
      return "cudaMemcpyDefault";
  }
}

/// Whether it points to where device memory can be, but is not now.
bool is_absent(const void* pointer) {
  return device_memory().contains(pointer) && !device_memory().is_allocated(pointer, 1);
}

/// The error of a call that gets such a pointer.
/// @param what  the pointer is to
cudaError_t absent(const char* what, const void* pointer) {
  constexpr cudaError_t error = cudaErrorInvalidValue;
  if (const auto* const callers = device_memory().freed_by(pointer)) {
    explanation_is_of(*callers);
    return explained(error, "%s was freed before", what);
  }
  return explained(error, "%s is not allocated now", what);
}

/// The error of a call that frees memory which is not there now.
cudaError_t freed_absent(const void* pointer) {
  if (device_memory().freed_by(pointer) != nullptr) tell(&Listener::memory_freed_twice, pointer);
  return absent("The memory", pointer);
}

/// The error of a call that frees memory which does not begin there.
cudaError_t not_freed(const void* pointer) {
  if (is_absent(pointer)) return freed_absent(pointer);
  constexpr cudaError_t error = cudaErrorInvalidValue;
  if (!device_memory().contains(pointer)) {
    return explained(error, "The pointer is not from cudaMalloc() or another function of CUDA");
  }
  const auto block = device_memory().block_below(pointer);
  return explained(error, "The pointer is %td bytes into an allocation of %zu bytes, not its begin",
                   block->offset, block->size);
}

/// The error of a copy with an end that is not what its direction says, or too small.
cudaError_t wrong_end(const char* end, const void* pointer, std::size_t bytes, bool on_device,
                      cudaMemcpyKind kind) {
  constexpr cudaError_t error = cudaErrorInvalidValue;
  const std::string what = "The " + std::string(end) + " of a copy";
  if (pointer == nullptr) return explained(error, "%s is a null pointer", what.c_str());
  if (is_absent(pointer)) return absent(what.c_str(), pointer);
  if (on_device && is_hosts_constant(pointer)) {
    return explained(error,
                     "%s is the address that a constant has in host code: copy to or from its name "
                     "with cudaMemcpyToSymbol() or cudaMemcpyFromSymbol()",
                     what.c_str());
  }
  if (on_device ? !may_be_device(pointer) : !is_host_pointer(pointer)) {
    return explained(error,
                     "%s is %s memory, but its direction is %s (a copy takes: to, from, bytes, "
                     "direction)",
                     what.c_str(), on_device ? "host" : "device", name_of(kind));
  }
  if (on_device || host_arrays().contains(pointer)) {
    return explained(error, "A copy of %zu bytes goes past the end of its %s", bytes, end);
  }
  return explained(error, "%s is not wholly inside memory that the program may use", what.c_str());
}

cudaError_t check_copy(const void* destination, std::size_t destination_bytes, const void* source,
                       std::size_t source_bytes, cudaMemcpyKind kind) {
  bool to_device = false;
  bool from_device = false;
  switch (kind) {
    case cudaMemcpyHostToHost:
      break;
    case cudaMemcpyHostToDevice:
      to_device = true;
      break;
    case cudaMemcpyDeviceToHost:
      from_device = true;
      break;
    case cudaMemcpyDeviceToDevice:
      to_device = from_device = true;
      break;
    case cudaMemcpyDefault:
      to_device = device_memory().contains(destination);
      from_device = device_memory().contains(source);
      break;
    default:
      return cudaErrorInvalidMemcpyDirection;
  }
  if (!(to_device ? is_device_range(destination, destination_bytes)
                  : may_copy_to_host(destination, destination_bytes))) {
    return wrong_end("destination", destination, destination_bytes, to_device, kind);
  }
  if (!(from_device ? is_device_range(source, source_bytes)
                    : may_read_host(source, source_bytes))) {
    return wrong_end("source", source, source_bytes, from_device, kind);
  }
  return cudaSuccess;
}

/// Host memory that host code and kernels may use. Where nobody watches them, it has pages of its
/// own: a stray access does not reach the rest of the process.
void* take_host_memory(std::size_t bytes) {
  if (host_keeper != nullptr) return host_keeper->allocate(bytes);
  void* const pages =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages != MAP_FAILED ? pages : nullptr;
}

bool give_back_host_memory(void* pointer, std::size_t bytes) {
  if (host_keeper != nullptr) return host_keeper->release(pointer);
  return munmap(pointer, bytes) == 0;
}

void* allocate_host(std::size_t bytes) {
  if (may_share) return device_memory().allocate_for_host(bytes);
  void* const memory = take_host_memory(bytes);
  if (memory == nullptr || PinnedMemory::instance().add(memory, bytes)) return memory;
  give_back_host_memory(memory, bytes);
  return nullptr;
}

cudaError_t release_host(void* pointer) {
  if (device_memory().is_for_host(pointer)) {
    const auto block = device_memory().block_below(pointer);
    if (block->offset == 0) tell(&Listener::host_frees, pointer, block->size);
    return device_memory().release(pointer) ? cudaSuccess : not_freed(pointer);
  }
  if (is_absent(pointer)) return freed_absent(pointer);
  const auto pinned = PinnedMemory::instance().place_of(reinterpret_cast<std::uintptr_t>(pointer));
  if (!pinned || pinned->offset != 0 || pinned->is_registered) return cudaErrorInvalidValue;
  tell(&Listener::host_frees, pointer, pinned->size);
  PinnedMemory::instance().remove(pointer);
  return give_back_host_memory(pointer, pinned->size) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t pin(void* pointer, std::size_t bytes) {
  if (!is_host_pointer(pointer) || bytes == 0) return cudaErrorInvalidValue;
  if (host_arrays().contains(pointer)) {
    return host_arrays().pin(pointer) ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered;
  }
  if (PinnedMemory::instance().contains(reinterpret_cast<std::uintptr_t>(pointer), 1)) {
    return cudaErrorHostMemoryAlreadyRegistered;
  }
  return PinnedMemory::instance().add(pointer, bytes, true) ? cudaSuccess
                                                            : cudaErrorMemoryAllocation;
}

cudaError_t unpin(void* pointer) {
  if (!is_host_pointer(pointer)) return cudaErrorInvalidValue;
  if (host_arrays().contains(pointer)) {
    return host_arrays().unpin(pointer) ? cudaSuccess : cudaErrorHostMemoryNotRegistered;
  }
  const auto pinned = PinnedMemory::instance().place_of(reinterpret_cast<std::uintptr_t>(pointer));
  if (!pinned || pinned->offset != 0 || !pinned->is_registered) {
    return cudaErrorHostMemoryNotRegistered;
  }
  PinnedMemory::instance().remove(pointer);
  return cudaSuccess;
}

/// Whether a copy in this direction lets host code see device memory, or an array of the caller. A
/// variable has one address for both, so there the direction decides.
bool reads_back(const void* destination, const void* source, cudaMemcpyKind kind) {
  if (device_memory().contains(destination) || host_arrays().contains(destination)) return false;
  if (host_arrays().contains(source)) return true;
  if (device_memory().contains(source)) return kind != cudaMemcpyDeviceToDevice;
  return kind == cudaMemcpyDeviceToHost;
}

/// Whether a copy in this direction reads device memory. A variable may be a table of the host, and
/// then the direction says so.
bool reads_device(const void* source, cudaMemcpyKind kind) {
  return device_memory().contains(source) || (is_symbol(source) && kind != cudaMemcpyHostToDevice);
}

/// Counts what a copy takes to the host, or from there.
void count_read(const void* destination, const void* source, std::size_t bytes,
                cudaMemcpyKind kind) {
  if (recorder != nullptr && reads_back(destination, source, kind)) recorder->host_reads();
  if (reads_back(destination, source, kind)) return host_reads(bytes);
  if (is_symbol(source) && (!may_be_device(destination) || !reads_device(source, kind))) {
    tell(&Listener::variable_read, source, bytes);
  }
}

/// Writes down that a copy or fill reads and writes this many bytes.
void record_moved(std::size_t bytes) {
  if (recorder != nullptr) recorder->moves(bytes);
}

/// Whether a copy has nothing to do: in a recording without a trial, device memory holds nothing.
bool moves_nothing(const void* destination, const void* source) {
  return recorder != nullptr && !recorder->is_trial() &&
         (device_memory().contains(destination) || device_memory().contains(source));
}

bool is_pinned(const void* pointer, std::size_t bytes) {
  return PinnedMemory::instance().contains(reinterpret_cast<std::uintptr_t>(pointer), bytes);
}

/// Tells what a copy read and wrote.
void tell_copied(void* destination, const void* source, std::size_t bytes, cudaMemcpyKind kind) {
  if (listeners.empty()) return;
  if (reads_device(source, kind) || is_pinned(source, bytes)) {
    tell(&Listener::stream_copy_accesses, source, bytes, false);
  }
  if (is_pinned(destination, bytes)) {
    tell(&Listener::stream_copy_accesses, destination, bytes, true);
  }
  if (!may_be_device(destination)) {
    return tell(&Listener::memory_copied_to_host, source, bytes);
  }
  tell(&Listener::stream_copy_accesses, destination, bytes, true);
  if (reads_device(source, kind)) {
    tell(&Listener::memory_copied, destination, source, bytes);
  } else {
    tell(&Listener::memory_written, destination, bytes);
  }
}

/// Bytes from the first of `height` rows to the end of the last.
std::size_t extent_2d(std::size_t pitch, std::size_t width, std::size_t height) {
  return (height - 1) * pitch + width;
}

cudaError_t allocate(void** pointer, std::size_t bytes) {
  if (!can_answer(pointer)) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  // From here on there are addresses that host code must not touch.
  install_signal_handlers();
  *pointer = device_memory().allocate(bytes);
  return *pointer != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t copy(void* destination, const void* source, std::size_t bytes, cudaMemcpyKind kind) {
  if (bytes == 0) return cudaSuccess;
  if (const cudaError_t error = check_copy(destination, bytes, source, bytes, kind)) return error;
  count_read(destination, source, bytes, kind);
  record_moved(2 * bytes);
  if (moves_nothing(destination, source)) return cudaSuccess;
  const CopyAccess access;
  std::memmove(destination, source, bytes);
  tell_copied(destination, source, bytes, kind);
  return cudaSuccess;
}

cudaError_t copy_2d(void* destination, std::size_t destination_pitch, const void* source,
                    std::size_t source_pitch, std::size_t width, std::size_t height,
                    cudaMemcpyKind kind) {
  if (width == 0 || height == 0) return cudaSuccess;
  if (const std::size_t pitch = std::min(destination_pitch, source_pitch); width > pitch) {
    return explained(cudaErrorInvalidPitchValue,
                     "Rows of %zu bytes do not fit into the pitch of the %s, which is %zu bytes",
                     width, pitch == source_pitch ? "source" : "destination", pitch);
  }
  if (const cudaError_t error = check_copy(destination, extent_2d(destination_pitch, width, height),
                                           source, extent_2d(source_pitch, width, height), kind)) {
    return error;
  }
  // Row by row, because width * height can overflow.
  for (std::size_t row = 0; row < height; ++row) {
    count_read(destination, static_cast<const char*>(source) + row * source_pitch, width, kind);
  }
  record_moved(2 * width * height);
  if (moves_nothing(destination, source)) return cudaSuccess;
  const CopyAccess access;
  for (std::size_t row = 0; row < height; ++row) {
    char* const to = static_cast<char*>(destination) + row * destination_pitch;
    const char* const from = static_cast<const char*>(source) + row * source_pitch;
    std::memmove(to, from, width);
    tell_copied(to, from, width, kind);
  }
  return cudaSuccess;
}

cudaError_t set_2d(void* pointer, std::size_t pitch, int value, std::size_t width,
                   std::size_t height) {
  if (width == 0 || height == 0) return cudaSuccess;
  if (width > pitch) return cudaErrorInvalidValue;
  if (is_absent(pointer)) return absent("The memory", pointer);
  if (!is_device_range(pointer, extent_2d(pitch, width, height))) return cudaErrorInvalidValue;
  record_moved(width * height);
  if (moves_nothing(pointer, nullptr)) return cudaSuccess;
  const DeviceMemory::Access access(device_memory());
  for (std::size_t row = 0; row < height; ++row) {
    char* const begin = static_cast<char*>(pointer) + row * pitch;
    std::memset(begin, value, width);
    tell(&Listener::stream_copy_accesses, begin, width, true);
    tell(&Listener::memory_written, begin, width);
  }
  return cudaSuccess;
}

/// A stream's work, which copies or fills memory.
/// @param name  of the function of the runtime
template <class Function>
cudaError_t do_in(cudaStream_t stream, Function function, const char* name) {
  tell(&Listener::stream_copy_begins, StreamOfWork::of(stream), NameOfWork::of(name));
  const cudaError_t error = function();
  tell(&Listener::stream_copy_ends);
  return error;
}

/// A call whose copies are a stream's work.
template <class Function>
cudaError_t in_stream(cudaStream_t stream, Function function,
                      const char* name = __builtin_FUNCTION()) {
  return api_call(
      [&] {
        if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
        if (is_capturing(stream)) {
          return explained(
              cudaErrorStreamCaptureUnsupported,
              "The emulator cannot capture this call: graphs have kernels, copies, fills "
              "and host functions");
        }
        return do_in(stream, function, name);
      },
      name);
}

/// The same, or if the stream is captured, a node of its graph. The function keeps its arguments.
template <class Function>
cudaError_t in_stream_or_graph(cudaStream_t stream, cudaGraphNodeType type, Function function,
                               const char* name = __builtin_FUNCTION()) {
  if (!is_capturing(stream)) return in_stream(stream, function, name);
  return api_call(
      [&] { return capture(stream, type, [=] { return do_in(stream, function, name); }); }, name);
}

/// A call in the default stream that the host waits for.
template <class Function>
cudaError_t with_host(Function function, const char* name = __builtin_FUNCTION()) {
  const cudaError_t error = in_stream(nullptr, function, name);
  if (!StreamOfWork::is_given()) tell(&Listener::host_waits, nullptr);
  return error;
}

/// Whether only the device may use the memory.
bool is_of_device_alone(const void* pointer) {
  return device_memory().contains(pointer) && !device_memory().is_for_host(pointer);
}

/// A copy in the default stream. The host waits for it, unless it stays in the device.
template <class Function>
cudaError_t copy_with_host(const void* destination, const void* source, Function function,
                           const char* name = __builtin_FUNCTION()) {
  return is_of_device_alone(destination) && is_of_device_alone(source)
             ? in_stream(nullptr, function, name)
             : with_host(function, name);
}

/// A fill in the default stream. The host waits for it if it may use the memory.
template <class Function>
cudaError_t fill_with_host(const void* pointer, Function function,
                           const char* name = __builtin_FUNCTION()) {
  return is_of_device_alone(pointer) ? in_stream(nullptr, function, name)
                                     : with_host(function, name);
}

/// Whether the host may be given other pages for it. Then the host waits before a copy that reads
/// it, and after one that writes it.
bool is_pageable(const void* pointer) {
  return is_host_pointer(pointer) && !device_memory().is_for_host(pointer) &&
         !PinnedMemory::instance().place_of(reinterpret_cast<std::uintptr_t>(pointer));
}

/// A copy as a stream's work.
/// @param reads_pageable, writes_pageable  whether its ends are pageable memory of the host
cudaError_t copy_in_stream(void* destination, const void* source, std::size_t bytes,
                           cudaMemcpyKind kind, cudaStream_t stream, bool reads_pageable,
                           bool writes_pageable, const char* name) {
  const bool waits = is_stream(stream) && !is_capturing(stream);
  if (waits && reads_pageable) tell(&Listener::host_waits, stream);
  const cudaError_t error = in_stream_or_graph(
      stream, cudaGraphNodeTypeMemcpy,
      [=] {
        const NameOfWork work(name);  // in a graph, the call has ended
        return copy(destination, source, bytes, kind);
      },
      name);
  if (waits && error == cudaSuccess && writes_pageable) tell(&Listener::host_waits, stream);
  return error;
}

cudaError_t allocate_managed(void** pointer, std::size_t bytes) {
  if (!may_share) {
    return explained(cudaErrorNotSupported,
                     "A lab's functions cannot use managed memory: use cudaMalloc() and "
                     "cudaMemcpy()");
  }
  if (!can_answer(pointer) || bytes == 0) return cudaErrorInvalidValue;
  install_signal_handlers();
  *pointer = device_memory().allocate_managed(bytes);
  return *pointer != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t release(void* pointer) {
  if (pointer == nullptr) return cudaSuccess;
  forget_pool_block(pointer);
  return device_memory().release(pointer) ? cudaSuccess : not_freed(pointer);
}

}  // namespace

void tilelab::emulator::allow_managed_memory() { may_share = true; }

void* tilelab::emulator::allocate_host_array(std::size_t bytes) {
  install_signal_handlers();
  return host_arrays().allocate(bytes);
}

void tilelab::emulator::release_host_array(void* array) { host_arrays().release(array); }

cudaError_t tilelab::emulator::copy_to_variable(void* variable, const void* source,
                                                std::size_t bytes, cudaMemcpyKind kind,
                                                cudaStream_t stream) {
  return copy_in_stream(variable, source, bytes, kind, stream, is_pageable(source), false,
                        "cudaMemcpyToSymbolAsync");
}

cudaError_t tilelab::emulator::copy_from_variable(void* destination, const void* variable,
                                                  std::size_t bytes, cudaMemcpyKind kind,
                                                  cudaStream_t stream) {
  return copy_in_stream(destination, variable, bytes, kind, stream, false, is_pageable(destination),
                        "cudaMemcpyFromSymbolAsync");
}

std::uint64_t tilelab::emulator::live_allocations() { return device_memory().count(); }

extern "C" {

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  return api_call([&] { return allocate(pointer, bytes); });
}

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
  return in_stream(stream, [&] {
    const cudaError_t error = allocate(pointer, bytes);
    if (error != cudaSuccess || bytes == 0) return error;
    note_pool_block(*pointer, bytes);
    tell(&Listener::stream_copy_accesses, *pointer, bytes, true);
    return cudaSuccess;
  });
}

cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width,
                            std::size_t height) {
  return api_call([&] {
    if (!can_answer(pitch)) return cudaErrorInvalidValue;
    *pitch = round_up(width, pitch_alignment);
    return allocate(pointer, *pitch * height);
  });
}

cudaError_t cudaFree(void* pointer) {
  return api_call([&] {
    if (const std::size_t bytes = bytes_of_pool_block(pointer)) {
      tell(&Listener::host_frees, pointer, bytes);
    } else {
      tell(&Listener::host_waits_for_device);  // for all work that may use the memory
    }
    return release(pointer);
  });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return in_stream(stream, [&] {
    const auto block = device_memory().block_below(pointer);
    if (block && block->offset == 0) {
      tell(&Listener::stream_copy_accesses, pointer, block->size, true);
    }
    return release(pointer);
  });
}

cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  return api_call([&] {
    if (!can_answer(free_bytes) || !can_answer(total_bytes)) return cudaErrorInvalidValue;
    *free_bytes = device_memory().capacity() - device_memory().used();
    *total_bytes = device_memory().capacity();
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return api_call([&] {
    if (!can_answer(attributes) || pointer == nullptr) return cudaErrorInvalidValue;
    void* address = const_cast<void*>(pointer);
    const bool is_pinned =
        PinnedMemory::instance().contains(reinterpret_cast<std::uintptr_t>(pointer), 1);
    if (is_pinned || device_memory().is_for_host(pointer)) {
      const auto type =
          device_memory().is_managed(pointer) ? cudaMemoryTypeManaged : cudaMemoryTypeHost;
      *attributes = {type, 0, address, address};
      return cudaSuccess;
    }
    *attributes = is_device_range(pointer, 1)
                      ? cudaPointerAttributes{cudaMemoryTypeDevice, 0, address, nullptr}
                      : cudaPointerAttributes{cudaMemoryTypeUnregistered, -2, nullptr, address};
    return cudaSuccess;
  });
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned) {
  return api_call([&] {
    if (!can_answer(pointer)) return cudaErrorInvalidValue;
    *pointer = bytes > 0 ? allocate_host(bytes) : nullptr;
    return *pointer != nullptr || bytes == 0 ? cudaSuccess : cudaErrorMemoryAllocation;
  });
}

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) {
  return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault);
}

cudaError_t cudaFreeHost(void* pointer) {
  return api_call([&] { return pointer != nullptr ? release_host(pointer) : cudaSuccess; });
}

cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned) {
  return api_call([&] { return pin(pointer, bytes); });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return api_call([&] { return unpin(pointer); });
}

/// Host and device share one address space here, so every host pointer is its own device pointer.
cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned) {
  return api_call([&] {
    return is_host_pointer(host_pointer) ? answer(device_pointer, host_pointer)
                                         : cudaErrorInvalidValue;
  });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* pointer) {
  return api_call([&] {
    return device_memory().is_for_host(pointer) ? answer(flags, cudaHostAllocMapped)
                                                : cudaErrorInvalidValue;
  });
}

cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned) {
  return api_call([&] { return allocate_managed(pointer, bytes); });
}

cudaError_t cudaMemAdvise(const void* pointer, std::size_t, cudaMemoryAdvise, int) {
  return api_call(
      [&] { return device_memory().is_for_host(pointer) ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t, int, cudaStream_t stream) {
  return in_stream(stream, [&] {
    return device_memory().is_for_host(pointer) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void*, std::size_t, unsigned) {
  return in_stream(stream, [] { return cudaSuccess; });
}

cudaError_t cudaMemcpyPeer(void* destination, int destination_device, const void* source,
                           int source_device, std::size_t bytes) {
  return with_host([&] {
    if (destination_device != 0 || source_device != 0) return cudaErrorInvalidDevice;
    return copy(destination, source, bytes, cudaMemcpyDeviceToDevice);
  });
}

cudaError_t cudaMemcpyPeerAsync(void* destination, int destination_device, const void* source,
                                int source_device, std::size_t bytes, cudaStream_t stream) {
  return in_stream(stream, [&] {
    if (destination_device != 0 || source_device != 0) return cudaErrorInvalidDevice;
    return copy(destination, source, bytes, cudaMemcpyDeviceToDevice);
  });
}

cudaError_t cudaMemcpy(void* destination, const void* source, std::size_t bytes,
                       cudaMemcpyKind kind) {
  return copy_with_host(destination, source,
                        [&] { return copy(destination, source, bytes, kind); });
}

cudaError_t cudaMemcpyAsync(void* destination, const void* source, std::size_t bytes,
                            cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_in_stream(destination, source, bytes, kind, stream, is_pageable(source),
                        is_pageable(destination), __func__);
}

cudaError_t cudaMemcpy2D(void* destination, std::size_t destination_pitch, const void* source,
                         std::size_t source_pitch, std::size_t width, std::size_t height,
                         cudaMemcpyKind kind) {
  return copy_with_host(destination, source, [&] {
    return copy_2d(destination, destination_pitch, source, source_pitch, width, height, kind);
  });
}

cudaError_t cudaMemcpy2DAsync(void* destination, std::size_t destination_pitch, const void* source,
                              std::size_t source_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
  return in_stream_or_graph(stream, cudaGraphNodeTypeMemcpy, [=] {
    return copy_2d(destination, destination_pitch, source, source_pitch, width, height, kind);
  });
}

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes) {
  return fill_with_host(pointer, [&] { return set_2d(pointer, bytes, value, bytes, 1); });
}

cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t stream) {
  return in_stream_or_graph(stream, cudaGraphNodeTypeMemset,
                            [=] { return set_2d(pointer, bytes, value, bytes, 1); });
}

cudaError_t cudaMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width,
                         std::size_t height) {
  return fill_with_host(pointer, [&] { return set_2d(pointer, pitch, value, width, height); });
}

cudaError_t cudaMemset2DAsync(void* pointer, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream) {
  return in_stream_or_graph(stream, cudaGraphNodeTypeMemset,
                            [=] { return set_2d(pointer, pitch, value, width, height); });
}

}  // extern "C"
