#pragma once

/// The version that runs, of a submission that has several: repairs of a submission are compiled
/// together, and ask this which of them is tried.
extern "C" unsigned tilelab_version();

namespace tilelab::worker {

/// Chooses the version of the calls that follow.
void set_version(unsigned version);

}  // namespace tilelab::worker
