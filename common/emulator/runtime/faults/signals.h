#pragma once

namespace tilelab::emulator {

/// Installs handlers that explain the process's memory faults. Call it before every launch, because
/// a test framework may have installed its own in between. Those get the signals that are not ours.
void install_signal_handlers();

}  // namespace tilelab::emulator
