#pragma once

/// Seccomp filters that forbid system calls which a submission does not need. A filter cannot be
/// removed, and adds to the filters before it.
namespace tilelab::worker {

/// Forbids starting, signaling and tracing other processes and opening network connections. Only
/// the program behind this descriptor may be started. A process that tries more ends with SIGSYS.
bool forbid_reaching_others(int program_descriptor);

/// Forbids making, changing and removing files, also such that only exist in memory. The calls fail
/// but do not end the process, because libraries try some of them and can do without.
bool forbid_leaving_files();

/// Forbids every call but those that a program needs to start, compute and answer: it can neither
/// start threads nor hold memory that does not count as its own. The other calls fail as if this
/// system did not have them.
bool forbid_all_but_computing();

}  // namespace tilelab::worker
