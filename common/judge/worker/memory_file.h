#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "judge/worker/descriptor.h"

namespace tilelab::judge {

/// Memory that the judge shares with a worker. It is an anonymous file of fixed size, sealed
/// against truncation, which would crash its other readers.
class MemoryFile {
 public:
  /// Who may write to the file once a worker has it.
  enum class Writer { judge_only, worker_too };

  /// Throws std::system_error.
  MemoryFile(std::size_t bytes, Writer writer);

  std::span<std::byte> bytes() const { return {data_.get(), data_.get_deleter().size}; }
  int descriptor() const { return descriptor_.number(); }

 private:
  struct Unmap {
    std::size_t size;
    void operator()(std::byte* data) const;
  };

  Descriptor descriptor_;
  std::unique_ptr<std::byte, Unmap> data_{nullptr, Unmap{0}};
};

}  // namespace tilelab::judge
