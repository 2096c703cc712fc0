#pragma once

namespace tilelab::emulator {

/// Makes the process's memory faults ours to explain. Called again and again, because a test
/// framework may put its own handlers in between; theirs get what is not ours.
void install_signal_handlers();

}  // namespace tilelab::emulator
