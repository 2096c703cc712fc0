#include "judge/worker/turn.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>

namespace tilelab::judge {
namespace {

/// A lock that several processes can share. It belongs to one user, so that nobody else can hold it
/// forever.
class FileLock {
 public:
  explicit FileLock(const std::string& name) {
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
    if (error) return;
    const std::string file = "tilelab-" + std::to_string(getuid()) + "-" + name + ".lock";
    descriptor_ = open((folder / file).c_str(), O_RDONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  }

  void share() const { set(LOCK_SH); }
  void take() const { set(LOCK_EX); }
  void release() const { set(LOCK_UN); }

 private:
  void set(int operation) const {
    if (descriptor_ < 0) return;
    while (flock(descriptor_, operation) != 0 && errno == EINTR) {
    }
  }

  int descriptor_ = -1;  // open as long as the judge lives
};

/// Every call holds this while it runs.
const FileLock& calls() {
  static const FileLock lock("calls");
  return lock;
}

/// Who wants to run passes here first. A call that runs alone stays here, so that no new calls
/// begin while it waits for the others to end.
const FileLock& gate() {
  static const FileLock lock("gate");
  return lock;
}

}  // namespace

Turn::Turn(Kind kind) : kind_(kind) {
  gate().take();
  if (kind_ == Kind::alone) {
    calls().take();
  } else {
    calls().share();
    gate().release();
  }
}

Turn::~Turn() {
  calls().release();
  if (kind_ == Kind::alone) gate().release();
}

}  // namespace tilelab::judge
