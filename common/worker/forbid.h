#pragma once

/// Seccomp filters that forbid system calls which a submission does not need. A filter cannot be
/// removed, and adds to the filters before it.
namespace tilelab::worker {

/// Forbids to start, signal or trace other processes and to open network connections. Only the
/// program behind this descriptor may be started. A process that tries more ends with SIGSYS.
bool forbid_reaching_others(int program_descriptor);

/// Forbids to make, change or remove files. The calls fail but do not end the process, because
/// libraries try some of them and can do without.
bool forbid_leaving_files();

}  // namespace tilelab::worker
