#include "emulator/runtime/memory/poison.h"

#include <algorithm>
#include <cstring>

namespace tilelab::emulator {

void poison(void* memory, std::size_t bytes) {
  auto* words = static_cast<std::uint32_t*>(memory);
  const std::size_t count = bytes / sizeof(std::uint32_t);
  std::fill_n(words, count, poison_word);
  std::memcpy(words + count, &poison_word, bytes % sizeof(std::uint32_t));
}

}  // namespace tilelab::emulator
