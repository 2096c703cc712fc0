#pragma once

namespace tilelab::judge {

/// A call's place among the calls of all judges that share a build. Calls run side by side, but a
/// call that is repeated because the machine was busy runs alone.
class Turn {
 public:
  /// How a call runs.
  enum class Kind { beside_others, alone };

  /// Waits until it is this call's turn. If the system has no locks, it always is.
  explicit Turn(Kind kind);
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  Kind kind_;
};

}  // namespace tilelab::judge
