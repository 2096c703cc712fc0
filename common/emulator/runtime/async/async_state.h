#pragma once

namespace tilelab::emulator {

/// Has the scheduler tell copies and barriers when blocks come and go.
void follow_blocks();

}  // namespace tilelab::emulator
