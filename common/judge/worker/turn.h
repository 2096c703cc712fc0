#pragma once

namespace tilelab::judge {

/// A call's place among the calls that all judges of this user make on this machine. Calls run side
/// by side, but a call that is repeated because the machine was busy runs alone.
class Turn {
 public:
  /// How a call runs.
  enum class Kind { beside_others, alone };

  /// Waits until it is this call's turn. If the system lets nobody keep lock files, it is always.
  explicit Turn(Kind kind);
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  Kind kind_;
};

}  // namespace tilelab::judge
