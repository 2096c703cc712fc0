#include "emulator/runtime/recording/trial.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "emulator/runtime/round_up.h"

namespace tilelab::emulator {
namespace {

constexpr std::size_t word_bytes = 4;
constexpr std::size_t page = 4096;

std::vector<std::uint64_t> numbers_in(const std::string& text) {
  std::vector<std::uint64_t> made;
  std::istringstream numbers(text);
  for (std::string number; std::getline(numbers, number, ',');) {
    made.push_back(std::strtoull(number.c_str(), nullptr, 10));
  }
  return made;
}

/// Whole pages are cleared without a touch.
void clear(std::byte* begin, std::byte* end) {
  const auto first =
      reinterpret_cast<std::byte*>(round_up(reinterpret_cast<std::uintptr_t>(begin), page));
  const std::size_t pages = first < end ? static_cast<std::size_t>(end - first) / page : 0;
  if (pages == 0) {
    std::memset(begin, 0, static_cast<std::size_t>(end - begin));
    return;
  }
  std::byte* const last = first + pages * page;
  std::memset(begin, 0, static_cast<std::size_t>(first - begin));
  madvise(first, pages * page, MADV_DONTNEED);
  std::memset(last, 0, static_cast<std::size_t>(end - last));
}

bool is_changed(const std::byte* a, const std::byte* b, std::size_t bytes) {
  return std::memcmp(a, b, bytes) != 0;
}

}  // namespace

Trial::Trial(const std::string& words, std::uint64_t salt)
    : salt_(salt), runs_all_(words == "all") {
  std::istringstream launches(words);
  for (std::string word; launches >> word;) blocks_.push_back(numbers_in(word));
}

Trial::~Trial() {
  for (const Watched& it : arrays_) munmap(it.copy, it.bytes);
}

void Trial::array(std::byte* begin, std::size_t bytes, schema::Contents contents) {
  const std::uint64_t place = places_.take(bytes);
  const std::size_t whole = bytes / word_bytes * word_bytes;
  if (whole == 0) return;
  // The address may have been another array's.
  std::erase_if(arrays_, [&](const Watched& it) {
    return begin < it.begin + it.bytes && it.begin < begin + whole;
  });
  clear(begin, begin + whole);
  void* const copy =
      mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy == MAP_FAILED) return;
  arrays_.push_back({begin, static_cast<std::byte*>(copy), whole, place});
  for_each_made_up_word(contents, place, whole, salt_, [&](std::size_t at, std::uint32_t word) {
    std::memcpy(begin + at, &word, word_bytes);
    std::memcpy(arrays_.back().copy + at, &word, word_bytes);
  });
}

Trial::Words Trial::words_at(std::uint64_t address) const {
  for (const Watched& array : arrays_) {
    const std::uint64_t offset = address - array.place;
    if (offset < array.bytes) return {array.begin + offset, std::min(page, array.bytes - offset)};
  }
  return {};
}

const std::vector<std::uint64_t>& Trial::next_blocks() {
  static const std::vector<std::uint64_t> none;
  return launches_ < blocks_.size() ? blocks_[launches_++] : none;
}

std::vector<Trial::Words> Trial::changes() {
  std::vector<Words> made;
  for (const Watched& array : arrays_) {
    for (std::size_t at = 0; at < array.bytes; at += page) {
      const std::size_t end = std::min(at + page, array.bytes);
      if (!is_changed(array.begin + at, array.copy + at, end - at)) continue;
      for (std::size_t word = at; word < end; word += word_bytes) {
        const std::byte* const begin = array.begin + word;
        if (!is_changed(begin, array.copy + word, word_bytes)) continue;
        if (made.empty() || made.back().begin + made.back().bytes != begin) {
          made.push_back({begin, 0});
        }
        made.back().bytes += word_bytes;
      }
      std::memcpy(array.copy + at, array.begin + at, end - at);
    }
  }
  return made;
}

}  // namespace tilelab::emulator
