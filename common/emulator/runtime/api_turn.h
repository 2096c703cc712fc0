#pragma once

namespace tilelab::emulator {

/// Threads of the host take turns in the runtime. While an object of this class lives, it is this
/// thread's turn; a call may make others.
class ApiTurn {
 public:
  ApiTurn();
  ~ApiTurn();
  ApiTurn(const ApiTurn&) = delete;
  ApiTurn& operator=(const ApiTurn&) = delete;
};

/// While an object of this class lives, others may have their turns: the program's own code runs,
/// which may wait for them.
class OthersTurn {
 public:
  OthersTurn();
  ~OthersTurn();
  OthersTurn(const OthersTurn&) = delete;
  OthersTurn& operator=(const OthersTurn&) = delete;

 private:
  unsigned depth_;
};

}  // namespace tilelab::emulator
