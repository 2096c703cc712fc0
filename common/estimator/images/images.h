#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "schema/recording.h"

namespace tilelab::estimator {

/// The file that the chunks of images are in.
class ChunkFile {
 public:
  /// Throws std::runtime_error if it cannot be read.
  explicit ChunkFile(const std::string& path);
  ~ChunkFile();
  ChunkFile(const ChunkFile&) = delete;
  ChunkFile& operator=(const ChunkFile&) = delete;

  std::uint64_t chunks() const { return bytes_ / schema::chunk_bytes; }

  /// Four bytes at a multiple of 4.
  /// @param chunk  its number, 1 or more
  std::uint32_t word(std::uint64_t chunk, std::uint64_t offset) const;

 private:
  const std::byte* begin_ = nullptr;
  std::size_t bytes_ = 0;
};

/// What memory held when a launch began.
class Images {
 public:
  explicit Images(std::shared_ptr<const ChunkFile> file) : file_(std::move(file)) {}

  /// Throws std::runtime_error if the file has no such chunk, or if they are not as many as the
  /// image needs.
  void add(schema::Image image);

  /// The word that an address is in, none if nobody knows.
  std::optional<std::uint32_t> word(std::uint64_t address) const;

 private:
  std::shared_ptr<const ChunkFile> file_;
  std::vector<schema::Image> images_;  // by their addresses
};

}  // namespace tilelab::estimator
