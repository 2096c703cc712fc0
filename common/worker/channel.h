#pragma once

#include <cstddef>

#include "contract/wire.h"

/// The worker's end of the socket to the judge.
namespace tilelab::worker {

/// A memory file of the judge, mapped while this object lives. It is empty if none was sent.
class MappedFile {
 public:
  MappedFile() = default;
  /// Maps the file and closes the descriptor.
  MappedFile(int descriptor, bool writable);
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
  wire::Request request;     ///< The request itself.
  MappedFile images;         ///< The images, which can only be read.
  MappedFile results;        ///< The file for the results.
  bool lacks_files = false;  ///< Whether no file descriptor was free for one of the two.
};

/// Sends the first message.
void send_hello(const wire::Hello& hello);

/// Waits for the next request. Returns false once the judge has closed its end.
bool receive(Job& job);

/// Sends a reply. It is async-signal-safe.
void send_reply(const wire::Reply& reply);

}  // namespace tilelab::worker
