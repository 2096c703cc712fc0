#pragma once

#include <cstddef>
#include <span>

namespace tilelab::judge {

/// Memory that the judge shares with a worker. It is an anonymous file of fixed size, sealed
/// against truncation, which would crash its other readers.
class MemoryFile {
 public:
  /// Who may write to the file once a worker has it.
  enum class Writer { judge_only, worker_too };

  /// Throws std::system_error.
  MemoryFile(std::size_t bytes, Writer writer);
  ~MemoryFile();
  MemoryFile(MemoryFile&& other) noexcept;
  MemoryFile& operator=(MemoryFile&& other) noexcept;

  std::span<std::byte> bytes() const { return {data_, size_}; }
  int descriptor() const { return descriptor_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  int descriptor_ = -1;
};

}  // namespace tilelab::judge
