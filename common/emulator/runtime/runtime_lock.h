#pragma once

namespace tilelab::emulator {

/// While an object of this class lives, no other thread of the host is in the runtime. The thread
/// may make more of them.
class RuntimeLock {
 public:
  RuntimeLock();
  ~RuntimeLock();
  RuntimeLock(const RuntimeLock&) = delete;
  RuntimeLock& operator=(const RuntimeLock&) = delete;

  /// Whether the program itself called the runtime, which has not called itself since.
  bool is_outermost() const;
};

/// The same, but it does not wait for another thread that is in the runtime.
class RuntimeTryLock {
 public:
  RuntimeTryLock();
  ~RuntimeTryLock();
  RuntimeTryLock(const RuntimeTryLock&) = delete;
  RuntimeTryLock& operator=(const RuntimeTryLock&) = delete;

  bool is_held() const { return is_held_; }

 private:
  bool is_held_;
};

/// While an object of this class lives, other threads may be in the runtime: the program's own code
/// runs, which may wait for them.
class RuntimeUnlock {
 public:
  RuntimeUnlock();
  ~RuntimeUnlock();
  RuntimeUnlock(const RuntimeUnlock&) = delete;
  RuntimeUnlock& operator=(const RuntimeUnlock&) = delete;

 private:
  unsigned depth_;
};

}  // namespace tilelab::emulator
