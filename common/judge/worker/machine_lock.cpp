#include "judge/worker/machine_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <filesystem>

#include "judge/options.h"
#include "judge/worker/descriptor.h"

namespace tilelab::judge {
namespace {

/// A lock on a file that is there anyway, so that nothing is left behind.
class FileLock {
 public:
  explicit FileLock(const std::filesystem::path& file)
      : file_(open(file.c_str(), O_RDONLY | O_CLOEXEC)) {}

  void share() const { set(LOCK_SH); }
  void take() const { set(LOCK_EX); }
  void release() const { set(LOCK_UN); }

 private:
  void set(int operation) const {
    if (file_.number() < 0) return;
    while (flock(file_.number(), operation) != 0 && errno == EINTR) {
    }
  }

  Descriptor file_;
};

/// Every call holds this while it runs.
const FileLock& calls() {
  static const FileLock lock(options().confine);
  return lock;
}

/// Every call that wants to run passes here first. A call that runs alone stays here, so that no
/// new calls begin while it waits for the others to end.
const FileLock& gate() {
  static const FileLock lock(options().confine.parent_path());
  return lock;
}

}  // namespace

MachineLock::MachineLock(Kind kind) : kind_(kind) {
  gate().take();
  if (kind_ == Kind::alone) {
    calls().take();
  } else {
    calls().share();
    gate().release();
  }
}

MachineLock::~MachineLock() {
  calls().release();
  if (kind_ == Kind::alone) gate().release();
}

}  // namespace tilelab::judge
