#pragma once

#include <cstddef>

#include "contract/wire.h"

/// The worker's end of the socket to the judge.
namespace tilelab::worker {

/// A memory file of the judge's, mapped while this object lives. Empty where none was sent.
class MappedFile {
 public:
  MappedFile() = default;
  MappedFile(int descriptor, bool writable);  ///< takes the descriptor over
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A request with its files.
struct Job {
  wire::Request request;
  MappedFile images;
  MappedFile results;
};

void send_hello(const wire::Hello& hello);

/// Waits for the next request; false when the judge has closed its end.
bool receive(Job& job);

/// Async-signal-safe.
void send_reply(const wire::Reply& reply);

}  // namespace tilelab::worker
