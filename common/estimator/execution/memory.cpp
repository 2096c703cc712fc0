#include "estimator/execution/memory.h"

#include <cstddef>
#include <cstring>
#include <utility>

#include "estimator/execution/words.h"

namespace tilelab::estimator {

std::uint32_t Memory::load(std::uint64_t address, int bytes) const {
  return part_of_word(word(address), address, bytes);
}

void Memory::store(std::uint64_t address, std::uint32_t value, int bytes) {
  const std::uint32_t old = bytes < 4 ? word(address) : 0;
  stored_[address >> 2U] = with_part(old, address, value, bytes);
}

std::uint32_t Memory::word(std::uint64_t address) const {
  const auto found = stored_.find(address >> 2U);
  return found != stored_.end() ? found->second : made_up(address & ~std::uint64_t{3});
}

std::uint32_t Memory::made_up(std::uint64_t address) const {
  if (images_ != nullptr) {
    if (const auto word = images_->word(address)) return *word;
  }
  const int at = array_at(address);
  if (at < 0) return 0;
  const Array& array = arrays_[static_cast<std::size_t>(at)];
  return schema::made_up_word(array.contents, address, array.salt);
}

std::uint32_t Memory::constant(std::uint64_t offset) const {
  if (offset + 4 > constants_.size()) return 0x3f000000U;
  std::uint32_t made = 0;
  std::memcpy(&made, &constants_[offset], 4);
  return made;
}

void Memory::set_images(std::shared_ptr<const Images> images) {
  images_ = std::move(images);
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    if (images_->word(arrays_[i].address)) continue;
    set_computed(static_cast<int>(i));
    trusts_made_up_ = false;
  }
}

std::uint64_t Memory::address_of_variable(std::uint64_t offset) const {
  std::uint64_t made = 0;
  if (offset + sizeof made <= addresses_.size()) {
    std::memcpy(&made, &addresses_[offset], sizeof made);
  }
  return made != 0 ? made : variables + (offset << 16U);
}

int Memory::array_at(std::uint64_t address) const {
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    if (address - arrays_[i].address < arrays_[i].bytes) return static_cast<int>(i);
  }
  return -1;
}

bool Memory::is_unknown(std::uint64_t address) const {
  if (doubt == Doubt::all) return true;
  if (stored_.contains(address >> 2U)) return false;
  if (images_ != nullptr && images_->word(address)) return false;
  const int at = array_at(address);
  if (computed_.contains(at)) return true;
  const Contents contents = arrays_[static_cast<std::size_t>(at)].contents;
  return doubt == Doubt::meaningless &&
         (written_.contains(at) || contents == Contents::zeros || contents == Contents::scratch);
}

}  // namespace tilelab::estimator
