#include "emulator/runtime/memory/guard_zones.h"

#include <sys/mman.h>

#include <cstring>

#include "emulator/emulator.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/listener.h"
#include "emulator/runtime/memory/poison.h"
#include "emulator/runtime/round_up.h"

namespace tilelab::emulator {
namespace {

bool is_asked_for = false;

/// A program with more blocks than this launches faster without.
constexpr std::size_t most_zones = 64;

/// Closing pages takes tens of microseconds. What is wrong with an index usually shows at once.
constexpr int most_launches = 64;

void close_page(std::uintptr_t begin) {
  mprotect(reinterpret_cast<void*>(begin), DeviceMemory::page_bytes(), PROT_NONE);
}

/// How many bytes from `begin` on are not as scramble() left them, up to the last that is not.
std::size_t changed_bytes(const char* begin, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  std::size_t changed = bytes;
  const auto is_as_before = [&](std::size_t i) {
    const std::uint32_t word = scrambled_word((address + i) / 4 * 4);
    return begin[i] == static_cast<char>(word >> 8 * ((address + i) % 4));
  };
  while (changed > 0 && is_as_before(changed - 1)) --changed;
  return changed;
}

}  // namespace

void guard_device_memory() {
  is_asked_for = true;
  DeviceMemory::guard_blocks();
}

GuardZones::GuardZones(const DeviceMemory& memory)
    : memory_(memory), are_on_(is_asked_for && listeners.empty() && memory.count() <= most_zones) {
  static int launches = 0;
  static std::uint64_t blocks_so_far = 0;
  if (blocks_so_far != memory.count_so_far()) launches = 0;
  blocks_so_far = memory.count_so_far();
  if (!are_on_ || ++launches > most_launches) return;
  memory.for_each_block([](void* block, std::size_t bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(block);
    close_page(begin - DeviceMemory::page_bytes());
    close_page(round_up(begin + bytes, DeviceMemory::unit_of(bytes)));
  });
}

void GuardZones::check(const char* kernel) const {
  if (!are_on_) return;
  memory_.for_each_block([&](void* block, std::size_t bytes) {
    if (memory_.is_for_host(block)) return;  // host code may have written there
    const char* const end = static_cast<char*>(block) + bytes;
    const std::size_t changed =
        changed_bytes(end, round_up(bytes, DeviceMemory::page_bytes()) - bytes);
    if (changed == 0) return;
    set_fault(cudaErrorIllegalAddress,
              "kernel %.150s: wrote up to %zu bytes past the end of a device allocation of %zu "
              "bytes (a checked run names the line)",
              kernel, changed, bytes);
  });
}

}  // namespace tilelab::emulator
