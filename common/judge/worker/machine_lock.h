#pragma once

namespace tilelab::judge {

/// The machine, for a call of one of the judges that share a build. Calls run side by side, but a
/// call that is repeated because the machine was busy runs alone.
class MachineLock {
 public:
  /// How a call runs.
  enum class Kind { beside_others, alone };

  /// Waits until the call may run. If the system has no locks, it always may.
  explicit MachineLock(Kind kind);
  ~MachineLock();
  MachineLock(const MachineLock&) = delete;
  MachineLock& operator=(const MachineLock&) = delete;

 private:
  Kind kind_;
};

}  // namespace tilelab::judge
