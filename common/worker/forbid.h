#pragma once

/// Seccomp filters for a worker: system calls that a submission has no use for. A filter cannot be
/// taken back, and adds to the ones before it.
namespace tilelab::worker {

/// No other processes: none is started (but for one program, from this descriptor), signaled,
/// traced or talked to over a network. A breach ends the process with SIGSYS.
bool forbid_reaching_others(int program_descriptor);

/// No files: none is made, changed or removed. The calls fail, because libraries try some of them
/// and live with a refusal.
bool forbid_leaving_files();

}  // namespace tilelab::worker
