#include "judge/worker/memory_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "judge/worker/system_failure.h"

namespace tilelab::judge {

void MemoryFile::Unmap::operator()(std::byte* data) const { munmap(data, size); }

MemoryFile::MemoryFile(std::size_t bytes, Writer writer)
    : descriptor_(memfd_create("tilelab", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
  if (descriptor() < 0) fail("memfd_create");
  if (ftruncate(descriptor(), static_cast<off_t>(bytes)) != 0) fail("memory for a worker's arrays");
  if (bytes > 0) {
    void* mapping = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor(), 0);
    if (mapping == MAP_FAILED) fail("memory for a worker's arrays");
    data_ = {static_cast<std::byte*>(mapping), Unmap{bytes}};
  }
  // Under F_SEAL_FUTURE_WRITE the mapping above stays writable, and every later one is read-only.
  const int seals = F_SEAL_SHRINK | F_SEAL_GROW |
                    (writer == Writer::judge_only ? F_SEAL_FUTURE_WRITE : 0) | F_SEAL_SEAL;
  if (fcntl(descriptor(), F_ADD_SEALS, seals) != 0) fail("sealing a worker's arrays");
}

}  // namespace tilelab::judge
