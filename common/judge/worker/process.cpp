#include "judge/worker/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "contract/wire.h"
#include "judge/options.h"
#include "judge/worker/reply_text.h"
#include "judge/worker/system_failure.h"

namespace tilelab::judge {
namespace {

std::vector<std::string> jail_of(const std::filesystem::path& program) {
  std::ifstream file(program.string() + ".jail");
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word);) words.push_back(word);
  return words;
}

std::vector<std::string> worker_environment() {
  // No cache of compiled kernels; the other variables say where the driver is and which GPU to use,
  // by the numbers that nvidia-smi shows.
  std::vector<std::string> environment = {"CUDA_CACHE_DISABLE=1", "CUDA_DEVICE_ORDER=PCI_BUS_ID"};
  for (const char* name : {"LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES"}) {
    if (const char* value = std::getenv(name))
      environment.push_back(std::string(name) + "=" + value);
  }
  if (options().unfiltered) environment.push_back(std::string(wire::unfiltered_variable) + "=1");
  return environment;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

/// Two descriptors that belong together: the ends of a pipe, or two sockets.
using Ends = std::pair<Descriptor, Descriptor>;

Ends connected_sockets() {
  std::array<int, 2> numbers;
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, numbers.data()) != 0) {
    fail("socketpair");
  }
  return {Descriptor(numbers[0]), Descriptor(numbers[1])};
}

Ends new_pipe() {
  std::array<int, 2> numbers;
  if (pipe2(numbers.data(), O_CLOEXEC) != 0) fail("pipe");
  return {Descriptor(numbers[0]), Descriptor(numbers[1])};
}

// Runs in the child, between fork and exec. Descriptors move above 3 first, so that no target is
// overwritten while it is still a source.
[[noreturn]] void become_worker(int socket, int output, pid_t judge, char* const* arguments,
                                char* const* environment) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != judge) _exit(125);
  const int high_socket = fcntl(socket, F_DUPFD_CLOEXEC, 10);
  const int high_output = fcntl(output, F_DUPFD_CLOEXEC, 10);
  close(STDIN_FILENO);
  open("/dev/null", O_RDWR);  // takes its place
  dup2(high_output, STDOUT_FILENO);
  dup2(high_output, STDERR_FILENO);
  dup2(high_socket, wire::worker_socket);
  execve(arguments[0], arguments, environment);
  _exit(125);
}

/// The limit that a process has broken since `before`, if any.
std::optional<Process::Event> broken_limit(const Usage& before, const Usage& now,
                                           const Limits& limits) {
  if (now.memory_bytes > limits.memory_bytes) return Process::Event::over_memory;
  if (now.threads > most_threads) return Process::Event::over_threads;
  if (now.processor_seconds - before.processor_seconds > limits.seconds) {
    return Process::Event::over_time;
  }
  if (now.own_seconds_since(before) > limits.seconds_with_waiting()) return Process::Event::stalled;
  if (seconds_since(before.at) > limits.seconds_on_a_busy_machine()) return Process::Event::starved;
  return std::nullopt;
}

constexpr std::size_t half_of_output = Process::output_limit / 2;

}  // namespace

Process::Process(const std::filesystem::path& program) {
  std::vector<std::string> words, variables;
  if (options().unconfined) {
    words = {program};
    for (char** variable = environ; *variable != nullptr; ++variable)
      variables.push_back(*variable);
    variables.push_back(std::string(wire::profiled_variable) + "=1");
  } else {
    words = jail_of(program);
    jailed_ = !words.empty();
    words.push_back(options().confine);
    words.push_back(program);
    variables = worker_environment();
  }
  const std::vector<char*> arguments = pointers(words), environment = pointers(variables);

  Ends sockets = connected_sockets();
  // The kernel adds the sender's id to each message.
  constexpr int on = 1;
  setsockopt(sockets.first.number(), SOL_SOCKET, SO_PASSCRED, &on, sizeof on);
  Ends pipe = new_pipe();
  const pid_t judge = getpid();
  pid_ = fork();
  if (pid_ < 0) fail("fork");
  if (pid_ == 0) {
    become_worker(sockets.second.number(), pipe.second.number(), judge, arguments.data(),
                  environment.data());
  }
  socket_ = std::move(sockets.first);
  output_pipe_ = std::move(pipe.first);
  fcntl(output_pipe_.number(), F_SETFL, O_NONBLOCK);
}

ssize_t Process::receive_first(std::span<std::byte> message) {
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(ucred))] = {};
  iovec data{message.data(), message.size()};
  msghdr header{};
  header.msg_iov = &data;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof control;
  const ssize_t size = recvmsg(socket_.number(), &header, MSG_CMSG_CLOEXEC);
  for (cmsghdr* one = CMSG_FIRSTHDR(&header); one != nullptr; one = CMSG_NXTHDR(&header, one)) {
    if (one->cmsg_level != SOL_SOCKET || one->cmsg_type != SCM_CREDENTIALS) continue;
    ucred sender;
    std::memcpy(&sender, CMSG_DATA(one), sizeof sender);
    sender_ = sender.pid;
  }
  return size;
}

void Process::pause() {
  if (sender_ > 0 && !reaped_) kill(sender_, SIGSTOP);
}

void Process::resume() {
  if (sender_ > 0 && !reaped_) kill(sender_, SIGCONT);
}

Process::~Process() { kill_all(); }

void Process::kill_all() {
  if (reaped_) return;
  // The group holds the worker, or its jail, which ends together with what runs inside.
  kill(-pid_, SIGKILL);
  kill(pid_, SIGKILL);
  reap(true);
}

bool Process::reap(bool wait_for_it) {
  if (reaped_) return true;
  int status = 0;
  if (waitpid(pid_, &status, wait_for_it ? 0 : WNOHANG) != pid_) return false;
  reaped_ = true;
  if (WIFSIGNALED(status)) {
    ending_.signal = WTERMSIG(status);
  } else if (jailed_ && WEXITSTATUS(status) > 128) {
    ending_.signal = WEXITSTATUS(status) - 128;  // the jail passes a signal on as a shell does
  } else {
    ending_.exit_status = WEXITSTATUS(status);
  }
  return true;
}

void Process::drain_output() {
  std::array<char, 4096> chunk;
  for (ssize_t n; (n = ::read(output_pipe_.number(), chunk.data(), chunk.size())) > 0;) {
    const std::string_view text(chunk.data(), static_cast<std::size_t>(n));
    const std::size_t room = half_of_output - std::min(half_of_output, output_.size());
    output_ += text.substr(0, room);
    output_end_ += text.substr(std::min(room, text.size()));
    if (output_end_.size() <= half_of_output) continue;
    output_end_.erase(0, output_end_.size() - half_of_output);
    output_was_cut_ = true;
  }
}

std::string Process::take_output() {
  drain_output();
  if (output_was_cut_) {
    output_ += "\n[...]\n";
  }
  output_was_cut_ = false;
  return std::exchange(output_, "") + std::exchange(output_end_, "");
}

Process::Event Process::wait_for_end() {
  // A process that hangs up is about to end, unless it closed its socket itself. Freeing its memory
  // takes time, and so does its jail.
  constexpr double own_seconds = 1, seconds = 20;
  const Usage before = usage_of(pid_);
  while (!reap(false)) {
    usleep(1000);
    if (usage_of(pid_).own_seconds_since(before) > own_seconds ||
        seconds_since(before.at) > seconds) {
      kill_all();
      return Event::hung_up;
    }
  }
  drain_output();
  return Event::ended;
}

void Process::note_memory() {
  const std::uint64_t now = usage_of(pid_).memory_bytes;
  // A GPU's driver takes some before the first call.
  if (!memory_at_first_) memory_at_first_ = now;
  ending_.memory_of_earlier_calls = now > *memory_at_first_ ? now - *memory_at_first_ : 0;
}

/// A worker on the CPU knows which thread of which kernel runs.
void Process::ask_for_last_words() {
  constexpr int patience_ms = 200;
  if (sender_ <= 0 || kill(sender_, wire::time_is_over) != 0) return;
  pollfd answer{socket_.number(), POLLIN, 0};
  wire::Reply reply;
  if (poll(&answer, 1, patience_ms) <= 0 ||
      recv(socket_.number(), &reply, sizeof reply, MSG_DONTWAIT) != sizeof reply) {
    return;
  }
  if (reply.status != wire::Status::fault) return;
  ending_.last_words = text_of(reply);
  std::ranges::copy(reply.code, ending_.callers.begin());
}

Process::Event Process::wait(const Limits& limits) {
  constexpr int tick_ms = 10;
  constexpr double busy_share = 0.05;
  // The first look is a tick late, so that a quick answer, which may be timed, does not wait for
  // it.
  std::optional<Usage> before;
  seconds_taken_ = 0;
  machine_was_busy_ = false;
  while (true) {
    std::array<pollfd, 2> files{
        {{socket_.number(), POLLIN, 0}, {output_pipe_.number(), POLLIN, 0}}};
    const int ready = poll(files.data(), files.size(), tick_ms);
    drain_output();
    // The end of the stream counts as readable too, so look whether there is a message.
    char first_byte;
    if (ready > 0 && recv(socket_.number(), &first_byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0) {
      return Event::readable;
    }
    if (ready > 0 && (files[0].revents & POLLHUP) != 0) return wait_for_end();
    const Usage now = usage_of(pid_);
    if (!before) before = now;
    seconds_taken_ = now.own_seconds_since(*before);
    if (const auto event = broken_limit(*before, now, limits)) {
      const double queued = seconds_since(before->at) - seconds_taken_;
      machine_was_busy_ = queued > busy_share * seconds_taken_ || machine_is_crowded();
      if (*event == Event::over_time) ask_for_last_words();
      kill_all();
      return *event;
    }
    if (ready > 0) usleep(1000);  // only the output was ready, or is closed: do not spin on it
  }
}

}  // namespace tilelab::judge
