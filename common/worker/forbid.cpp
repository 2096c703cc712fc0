#include "worker/forbid.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "driver.h"

namespace tilelab::worker {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t machine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t machine = AUDIT_ARCH_AARCH64;
#else
#error "confine knows the system calls of x86-64 and aarch64 only"
#endif

/// A seccomp filter, written as a list of rules that each end in a verdict or fall through.
class Filter {
 public:
  Filter() {
    // Numbers mean other calls on another machine's table (32-bit entry, x32).
    load(offsetof(seccomp_data, arch));
    jump(BPF_JEQ, machine, 1, 0);
    verdict(SECCOMP_RET_KILL_PROCESS);
    load_number();
#if defined(__x86_64__)
    jump(BPF_JGE, 0x40000000u, 0, 1);
    verdict(SECCOMP_RET_KILL_PROCESS);
#endif
  }

  void on(long number, std::uint32_t action) {
    jump(BPF_JEQ, static_cast<std::uint32_t>(number), 0, 1);
    verdict(action);
  }

  /// Takes `action` unless the argument equals `allowed`.
  void unless_equal(long number, int argument, std::uint32_t allowed, std::uint32_t action) {
    on_argument(number, argument, BPF_JEQ, allowed, false, action);
  }

  /// Takes `action` if the argument has any of `bits`.
  void if_any(long number, int argument, std::uint32_t bits, std::uint32_t action) {
    on_argument(number, argument, BPF_JSET, bits, true, action);
  }

  /// Takes `action` if the argument has none of `bits`.
  void unless_any(long number, int argument, std::uint32_t bits, std::uint32_t action) {
    on_argument(number, argument, BPF_JSET, bits, false, action);
  }

  /// Takes `action` on memory that is shared, unless it is a file that may be written. Such a file
  /// comes from the judge, so its size is known. Other shared memory does not count as the
  /// process's own once its pages are out of sight.
  void on_anonymous_shared_memory(std::uint32_t action) {
    constexpr int protection = 2, flags = 3;
    jump(BPF_JEQ, SYS_mmap, 0, 7);
    load_argument(flags);
    jump(BPF_JSET, MAP_SHARED, 0, 4);
    jump(BPF_JSET, MAP_ANONYMOUS, 2, 0);
    load_argument(protection);
    jump(BPF_JSET, PROT_WRITE, 1, 0);
    verdict(action);
    load_number();
  }

  /// Installs the filter. A call that no rule decides gets `otherwise`.
  bool install(std::uint32_t otherwise = SECCOMP_RET_ALLOW) {
    verdict(otherwise);
    const sock_fprog program{static_cast<unsigned short>(rules_.size()), rules_.data()};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
  }

 private:
  /// Takes `action` if a comparison of the argument with a value is true, or if it is not.
  void on_argument(long number, int argument, int test, std::uint32_t value, bool is_true,
                   std::uint32_t action) {
    jump(BPF_JEQ, static_cast<std::uint32_t>(number), 0, 4);
    load_argument(argument);
    jump(test, value, is_true ? 0 : 1, is_true ? 1 : 0);
    verdict(action);
    load_number();
  }
  void load(std::size_t offset) {
    rules_.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
  }
  void load_number() { load(offsetof(seccomp_data, nr)); }
  void load_argument(int index) {
    load(offsetof(seccomp_data, args) + static_cast<std::size_t>(index) * sizeof(std::uint64_t));
  }
  void jump(int test, std::uint32_t value, std::uint8_t if_true, std::uint8_t if_false) {
    rules_.push_back(
        BPF_JUMP(static_cast<std::uint16_t>(BPF_JMP | test | BPF_K), value, if_true, if_false));
  }
  void verdict(std::uint32_t action) { rules_.push_back(BPF_STMT(BPF_RET | BPF_K, action)); }

  std::vector<sock_filter> rules_;
};

void add_process_rules(Filter& filter, int program_descriptor) {
  constexpr std::uint32_t kill = SECCOMP_RET_KILL_PROCESS;
#ifdef SYS_fork
  filter.on(SYS_fork, kill);
  filter.on(SYS_vfork, kill);
#endif
  // Threads stay possible (CUDA starts some). clone3 hides its flags behind a pointer, so the C
  // library is told to use clone instead.
  filter.on(SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS);
  filter.unless_any(SYS_clone, 0, CLONE_THREAD, kill);
  filter.on(SYS_execve, kill);
  filter.unless_equal(SYS_execveat, 0, static_cast<std::uint32_t>(program_descriptor), kill);
}

void add_reaching_rules(Filter& filter) {
  constexpr std::uint32_t kill = SECCOMP_RET_KILL_PROCESS;
  const auto self = static_cast<std::uint32_t>(getpid());
  filter.unless_equal(SYS_kill, 0, self, kill);
  filter.unless_equal(SYS_tgkill, 0, self, kill);
  for (const long number :
       {SYS_tkill, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_pidfd_send_signal,
        SYS_pidfd_getfd, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_setns, SYS_unshare,
        SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_bpf, SYS_io_uring_setup, SYS_keyctl,
        SYS_add_key}) {
    filter.on(number, kill);
  }
  filter.unless_equal(SYS_socket, 0, AF_UNIX, kill);
  // The C library asks for its own limits only.
  filter.unless_equal(SYS_prlimit64, 0, 0, SECCOMP_RET_ERRNO | EPERM);
}

}  // namespace

bool forbid_reaching_others(int program_descriptor) {
  Filter filter;
  add_process_rules(filter, program_descriptor);
  add_reaching_rules(filter);
  return filter.install();
}

bool forbid_leaving_files() {
  Filter filter;
  constexpr std::uint32_t refuse = SECCOMP_RET_ERRNO | EACCES;
  filter.if_any(SYS_openat, 2, refused_open_flags, refuse);
  filter.on(SYS_openat2, SECCOMP_RET_ERRNO | ENOSYS);
#ifdef SYS_open
  filter.if_any(SYS_open, 1, refused_open_flags, refuse);
  for (const long number : {SYS_creat, SYS_unlink, SYS_rename, SYS_mkdir, SYS_rmdir, SYS_link,
                            SYS_symlink, SYS_mknod, SYS_chmod, SYS_chown, SYS_lchown}) {
    filter.on(number, refuse);
  }
#endif
  for (const long number :
       {SYS_unlinkat, SYS_renameat2, SYS_mkdirat, SYS_linkat, SYS_symlinkat, SYS_mknodat,
        SYS_fchmodat, SYS_fchownat, SYS_truncate, SYS_shmget, SYS_msgget, SYS_semget, SYS_mq_open,
        SYS_memfd_create, SYS_userfaultfd, SYS_perf_event_open, SYS_open_by_handle_at}) {
    filter.on(number, refuse);
  }
#ifdef SYS_renameat
  filter.on(SYS_renameat, refuse);
#endif
  return filter.install();
}

bool forbid_all_but_computing() {
  Filter filter;
  filter.on_anonymous_shared_memory(SECCOMP_RET_ERRNO | EACCES);
  for (const long number :
       {// memory
        SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_brk,
        // files, which the other filter lets it open for reading only, and the socket
        SYS_openat, SYS_read, SYS_readv, SYS_pread64, SYS_write, SYS_writev, SYS_lseek, SYS_close,
        SYS_fstat, SYS_newfstatat, SYS_statx, SYS_faccessat, SYS_readlinkat, SYS_getcwd, SYS_fcntl,
        SYS_ioctl, SYS_recvmsg, SYS_sendmsg, SYS_recvfrom, SYS_sendto, SYS_ppoll,
        // time
        SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday,
        SYS_setitimer, SYS_getitimer,
        // signals to itself; the other filter kills who sends one elsewhere
        SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_kill,
        SYS_tgkill, SYS_restart_syscall,
        // what the C library asks and sets up
        SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid,
        SYS_uname, SYS_sysinfo, SYS_getrusage, SYS_getrandom, SYS_sched_yield,
        SYS_sched_getaffinity, SYS_futex, SYS_set_tid_address, SYS_set_robust_list, SYS_rseq,
        SYS_prlimit64,
        // start and end
        SYS_execveat, SYS_exit, SYS_exit_group}) {
    filter.on(number, SECCOMP_RET_ALLOW);
  }
#ifdef SYS_open
  // calls that only older machines have
  for (const long number : {SYS_open, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_poll,
                            SYS_pause, SYS_time, SYS_getrlimit, SYS_arch_prctl}) {
    filter.on(number, SECCOMP_RET_ALLOW);
  }
#endif
  return filter.install(SECCOMP_RET_ERRNO | ENOSYS);
}

}  // namespace tilelab::worker
