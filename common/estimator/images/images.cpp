#include "estimator/images/images.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace tilelab::estimator {

ChunkFile::ChunkFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (file < 0 || fstat(file, &status) != 0) throw std::runtime_error("names no file of chunks");
  bytes_ = static_cast<std::size_t>(status.st_size);
  void* const begin = bytes_ == 0 ? nullptr : mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (begin == MAP_FAILED) throw std::runtime_error("names a file that cannot be read");
  begin_ = static_cast<const std::byte*>(begin);
}

ChunkFile::~ChunkFile() {
  if (begin_ != nullptr) munmap(const_cast<std::byte*>(begin_), bytes_);
}

std::uint32_t ChunkFile::word(std::uint64_t chunk, std::uint64_t offset) const {
  std::uint32_t made = 0;
  std::memcpy(&made, begin_ + (chunk - 1) * schema::chunk_bytes + offset, sizeof made);
  return made;
}

void Images::add(schema::Image image) {
  const std::uint64_t held = image.chunks.size() * schema::chunk_bytes;
  const std::uint64_t chunks = file_ == nullptr ? 0 : file_->chunks();
  const bool has_all = std::ranges::all_of(image.chunks, [&](auto it) { return it <= chunks; });
  if (!has_all || held < image.bytes) throw std::runtime_error("has chunks that are nowhere");
  const auto after = std::ranges::upper_bound(images_, image.address, {}, &schema::Image::address);
  images_.insert(after, std::move(image));
}

std::optional<std::uint32_t> Images::word(std::uint64_t address) const {
  const std::uint64_t begin = address & ~std::uint64_t{3};
  const auto after = std::ranges::upper_bound(images_, begin, {}, &schema::Image::address);
  if (after == images_.begin()) return std::nullopt;
  const schema::Image& image = *std::prev(after);
  const std::uint64_t offset = begin - image.address;
  if (offset >= image.bytes) return std::nullopt;
  const std::uint64_t chunk = image.chunks[offset / schema::chunk_bytes];
  return chunk == 0 ? 0 : file_->word(chunk, offset % schema::chunk_bytes);
}

}  // namespace tilelab::estimator
