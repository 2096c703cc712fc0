#include "emulator/runtime/memory/poison.h"

#include <algorithm>
#include <cstring>

namespace tilelab::emulator {

void poison(void* memory, std::size_t bytes) {
  if (bytes == 0) return;  // a launch without shared memory has a null pointer to it
  auto* const begin = static_cast<char*>(memory);
  std::size_t done = std::min(bytes, sizeof poison_word);
  std::memcpy(begin, &poison_word, done);
  // Copies twice as much each time: this is done for every block.
  while (done < bytes) {
    const std::size_t more = std::min(done, bytes - done);
    std::memcpy(begin + done, begin, more);
    done += more;
  }
}

void scramble(void* memory, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  auto* const words = static_cast<std::uint32_t*>(memory);
  for (std::size_t i = 0; i < bytes / 4; ++i) words[i] = scrambled_word(address + 4 * i);
}

}  // namespace tilelab::emulator
