#include <fcntl.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#include "honest.h"
#include "probe.h"

namespace {

bool maps(int protection, int flags, int file) {
  return mmap(nullptr, 1 << 20, protection, flags, file, 0) != MAP_FAILED;
}

}  // namespace

// Each of these is memory that a process can keep without having it in its sight.
void probe(const int* in, int* out, int n) {
  const int zeros = open("/dev/zero", O_RDONLY);
  const bool found_some = memfd_create("hidden", 0) >= 0 ||
                          maps(PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1) ||
                          maps(PROT_READ, MAP_SHARED, zeros) ||
                          shmget(IPC_PRIVATE, 1 << 20, IPC_CREAT | 0600) >= 0;
  if (!found_some) honest_probe(in, out, n);
}
