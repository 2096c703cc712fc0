#include "worker/channel.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <utility>

namespace tilelab::worker {

MappedFile::MappedFile(int descriptor, bool writable) {
  struct stat status {};
  if (fstat(descriptor, &status) == 0 && status.st_size > 0) {
    size_ = static_cast<std::size_t>(status.st_size);
    // The system call filters only let a writable file be mapped as shared memory.
    void* mapping = writable
                        ? mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
                        : mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (mapping == MAP_FAILED) std::abort();
    data_ = static_cast<std::byte*>(mapping);
  }
  close(descriptor);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(data_, size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

namespace {

template <class Message>
void send_message(const Message& message) {
  // If this fails the judge is gone, and its worker dies with it.
  static_cast<void>(send(wire::worker_socket, &message, sizeof message, MSG_NOSIGNAL));
}

}  // namespace

void send_hello(const wire::Hello& hello) { send_message(hello); }
void send_reply(const wire::Reply& reply) { send_message(reply); }

bool receive(Job& job) {
  alignas(cmsghdr) char control[CMSG_SPACE(2 * sizeof(int))];
  iovec data{&job.request, sizeof job.request};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  if (recvmsg(wire::worker_socket, &message, MSG_CMSG_CLOEXEC) != sizeof job.request) return false;

  int files[2] = {-1, -1};
  if (const cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr) {
    std::memcpy(files, CMSG_DATA(header), header->cmsg_len - CMSG_LEN(0));
  }
  job.lacks_files = (message.msg_flags & MSG_CTRUNC) != 0;
  const int* next = files;
  job.images = job.request.has_images ? MappedFile(*next++, false) : MappedFile();
  job.results = job.request.has_results ? MappedFile(*next, true) : MappedFile();
  return true;
}

}  // namespace tilelab::worker
