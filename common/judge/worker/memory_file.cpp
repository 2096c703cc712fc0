#include "judge/worker/memory_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <utility>

#include "judge/worker/system_failure.h"

namespace tilelab::judge {

MemoryFile::MemoryFile(std::size_t bytes, Writer writer) : size_(bytes) {
  descriptor_ = memfd_create("tilelab", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor_ < 0) fail("memfd_create");
  if (ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) fail("memory for a worker's arrays");
  if (bytes > 0) {
    void* mapping = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    if (mapping == MAP_FAILED) fail("memory for a worker's arrays");
    data_ = static_cast<std::byte*>(mapping);
  }
  // Under F_SEAL_FUTURE_WRITE the mapping above stays writable, and every later one is read-only.
  const int seals = F_SEAL_SHRINK | F_SEAL_GROW |
                    (writer == Writer::judge_only ? F_SEAL_FUTURE_WRITE : 0) | F_SEAL_SEAL;
  if (fcntl(descriptor_, F_ADD_SEALS, seals) != 0) fail("sealing a worker's arrays");
}

MemoryFile::~MemoryFile() {
  if (data_ != nullptr) munmap(data_, size_);
  if (descriptor_ >= 0) close(descriptor_);
}

MemoryFile::MemoryFile(MemoryFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

MemoryFile& MemoryFile::operator=(MemoryFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

}  // namespace tilelab::judge
