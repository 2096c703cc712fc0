#pragma once

/// Seccomp filters for a worker: system calls that a submission has no use for. A filter cannot be
/// taken back, and adds to the ones before it.
namespace tilelab::worker {

/// No other processes: none is started (but for one program, from this descriptor), signalled,
/// traced or talked to over a network. A breach ends the process with SIGSYS.
bool forbid_reaching_others(int program_descriptor);

/// No files: none is made, changed or removed. The calls fail, because libraries try some of them
/// and live with a refusal.
bool forbid_leaving_files();

/// NVIDIA's driver names its threads by writing to files under /proc while it starts, so on the
/// cuda backend the worker itself calls forbid_leaving_files() once the device has started. Nothing
/// of a submission has run by then: the object check refuses constructors.
#ifdef TILELAB_CUDA
inline constexpr bool driver_writes_files = true;
#else
inline constexpr bool driver_writes_files = false;
#endif

}  // namespace tilelab::worker
