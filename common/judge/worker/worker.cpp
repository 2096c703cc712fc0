#include "judge/worker/worker.h"

#include <signal.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <random>
#include <system_error>
#include <utility>
#include <vector>

#include "judge/options.h"
#include "judge/stopped_at.h"
#include "judge/worker/endings.h"
#include "judge/worker/errors.h"
#include "judge/worker/machine_lock.h"
#include "judge/worker/reply_text.h"
#include "judge/write_event.h"

namespace tilelab::judge {
namespace {

// A GPU's driver starts slowly, above all if many workers start at once. A submission that is not
// asked for anything yet runs no code of its own.
constexpr Limits start_limits{60, std::uint64_t{8} << 30};

// After one endless loop the next is likely, and a class should not wait for each in full. So every
// failure after a long time leaves less time to later calls, down to what an honest one needs.
constexpr double long_seconds = 0.2;
constexpr double seconds_after_a_long_failure = 1;
constexpr double fewest_seconds = 0.25;

// An honest call takes no longer than another did, give or take the size of its arrays.
constexpr double room_for_larger_arrays = 4;

/// Whether a fresh worker can serve this request: it needs nothing that earlier ones left.
bool stands_alone(const wire::Request& request) {
  return request.command == wire::Command::call || request.command == wire::Command::observe;
}

/// Whether a busy machine may be the reason why there is no answer.
bool may_be_the_machine(Process::Event event, const Process& process) {
  // Most versions fail, and to miss one costs less than to wait twice for each.
  if (options().is_one_of_many()) return false;
  switch (event) {
    case Process::Event::starved:
      return true;
    case Process::Event::over_time:
    case Process::Event::stalled:
      return process.machine_was_busy();
    case Process::Event::ended:
      return process.ending().signal == SIGKILL;  // the system killed it to get memory
    default:
      return false;
  }
}

/// What is left of the limits after a long failure, for a call that may take `seconds` where others
/// are given the usual time. One that may take longer than usual may do so then, too.
Limits shorten(const Limits& limits, double seconds) {
  // The time that a version gets was measured at its own call.
  const bool may_take_longer = !options().is_one_of_many();
  const double times = may_take_longer ? std::max(1.0, limits.seconds / options().time_limit) : 1;
  return {std::min(limits.seconds, times * seconds), limits.memory_bytes};
}

/// All that there are.
std::vector<Worker*>& all_workers() {
  static std::vector<Worker*> all;
  return all;
}

}  // namespace

Worker::Worker(std::filesystem::path program, bool reports_output,
               std::shared_ptr<Patience> patience)
    : program_(std::move(program)),
      patience_(std::move(patience)),
      reports_output_(reports_output) {
  std::random_device device;
  nonce_ = (std::uint64_t{device()} << 32) | device();
  all_workers().push_back(this);
}

Worker::~Worker() { std::erase(all_workers(), this); }

/// They start again when they are needed.
void Worker::stop_others() {
  for (Worker* worker : all_workers()) {
    if (worker != this) worker->stop();
  }
}

const wire::Hello& Worker::start() {
  if (process_ != nullptr) return hello_;
  if (start_process().empty()) return hello_;
  // What other workers hold of the device may be why.
  stop_others();
  if (const std::string why = start_process(); !why.empty()) {
    give_up("a worker could not start its device: " + why);
  }
  return hello_;
}

/// Returns why the device could not be started, or "".
std::string Worker::start_process() {
  process_ = std::make_unique<Process>(program_);
  const std::string subject = "The submission's process";
  const Process::Event event = process_->wait(start_limits);
  if (event == Process::Event::starved || event == Process::Event::stalled) {
    give_up("a worker did not start, most likely because the machine is too busy");
  }
  if (event != Process::Event::readable) {
    if (process_->ending().exit_status == 125) {
      give_up("a worker could not be started: " + process_->take_output());
    }
    fail(explain_ending(event, process_->ending(), start_limits, subject));
  }
  std::vector<std::byte> message(sizeof(wire::Reply) + 1);
  const ssize_t size = process_->receive_first(message);
  if (size == sizeof(wire::Reply)) {
    wire::Reply reply;
    std::memcpy(&reply, message.data(), sizeof reply);
    stop();
    return text_of(reply);
  }
  if (size != sizeof hello_) {
    fail(subject + " wrote to a file descriptor that is not its own.");
  }
  std::memcpy(&hello_, message.data(), sizeof hello_);
  return "";
}

wire::Reply Worker::ask(wire::Request request, const MemoryFile* images, const MemoryFile* results,
                        const Limits& limits, const std::string& subject) {
  request.version = options().version;
  request.may_read_back = options().may_read_back;
  request.has_images = images != nullptr;
  request.has_results = results != nullptr;
  const Limits current = shorten(limits, patience_->seconds_left);
  try {
    Process::Event event = attempt(request, images, results, current);
    if (stands_alone(request) && may_be_the_machine(event, *process_)) {
      event = attempt_alone(request, images, results, current);
    }
    wire::Reply reply = receive(event, request, current, subject);
    if (stands_alone(request) && others_filled_device(reply)) {
      event = attempt_alone(request, images, results, current);
      reply = receive(event, request, current, subject);
    }
    if (others_filled_device(reply))
      give_up("the device has no room for a call: " + text_of(reply));
    assert_answered(reply, request, subject);
    patience_->longest_seconds = std::max(patience_->longest_seconds, seconds_taken_);
    return reply;
  } catch (const SubmissionError& error) {
    if (seconds_taken_ < long_seconds) throw;
    const double fewest =
        std::max(fewest_seconds, room_for_larger_arrays * patience_->longest_seconds);
    patience_->seconds_left =
        std::max(fewest, std::min(patience_->seconds_left / 2, seconds_after_a_long_failure));
    throw LongFailure(error.message);
  }
}

Process::Event Worker::attempt(wire::Request& request, const MemoryFile* images,
                               const MemoryFile* results, const Limits& limits) {
  // Requests that are timed stay out of it: waiting would count as their time.
  std::optional<MachineLock> lock;
  if (stands_alone(request)) lock.emplace(MachineLock::Kind::beside_others);
  return make_request(request, images, results, limits);
}

Process::Event Worker::attempt_alone(wire::Request& request, const MemoryFile* images,
                                     const MemoryFile* results, const Limits& limits) {
  stop();
  stop_others();
  const MachineLock lock(MachineLock::Kind::alone);
  return make_request(request, images, results, limits);
}

Process::Event Worker::make_request(wire::Request& request, const MemoryFile* images,
                                    const MemoryFile* results, const Limits& limits) {
  seconds_taken_ = 0;
  start();
  // Not before a request that is timed: to look takes time.
  if (stands_alone(request)) process_->note_memory();
  request.nonce = ++nonce_;
  send(request, images, results);
  const Process::Event event = process_->wait(limits);
  seconds_taken_ = process_->seconds_taken();
  return event;
}

void Worker::send(const wire::Request& request, const MemoryFile* images,
                  const MemoryFile* results) {
  int files[2];
  std::size_t count = 0;
  if (images != nullptr) files[count++] = images->descriptor();
  if (results != nullptr) files[count++] = results->descriptor();

  alignas(cmsghdr) char control[CMSG_SPACE(sizeof files)] = {};
  iovec data{const_cast<wire::Request*>(&request), sizeof request};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  if (count > 0) {
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(count * sizeof(int));
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(count * sizeof(int));
    std::memcpy(CMSG_DATA(header), files, count * sizeof(int));
  }
  // If the process died in between, that is noticed while waiting for its answer.
  if (sendmsg(process_->socket(), &message, MSG_NOSIGNAL) < 0 && errno != EPIPE &&
      errno != ECONNRESET) {
    throw InfrastructureError(std::string("sending to a worker: ") + std::strerror(errno));
  }
}

wire::Reply Worker::receive(Process::Event event, const wire::Request& request,
                            const Limits& limits, const std::string& subject) {
  if (event == Process::Event::starved) {
    give_up("this machine is too busy: other programs left too little time for a call");
  }
  if (event == Process::Event::ended && process_->ending().signal == SIGKILL) {
    give_up("the system killed a worker, most likely because this machine ran out of memory");
  }
  if (event != Process::Event::readable) {
    Ending ending = process_->ending();
    ending.is_watched = request.command == wire::Command::observe;
    fail_at(ending.callers, "was running", explain_ending(event, ending, limits, subject));
  }
  std::vector<std::byte> message(sizeof(wire::Reply) + 1);
  const ssize_t size = recv(process_->socket(), message.data(), message.size(), MSG_DONTWAIT);
  wire::Reply reply;
  if (size == sizeof reply) std::memcpy(&reply, message.data(), sizeof reply);
  if (size != sizeof reply || reply.nonce != request.nonce ||
      reply.status > wire::Status::runner_error) {
    fail(subject +
         " wrote to a file descriptor that is not its own: the answer did not come from the "
         "harness.");
  }
  return reply;
}

/// Whether the harness failed for a reason that is not this process: what it has run before left
/// nothing on the device.
bool Worker::others_filled_device(const wire::Reply& reply) const {
  if (reply.status != wire::Status::runner_error || reply.has_run != 0) return false;
  return !has_timed_ && held_bytes_ == 0;
}

void Worker::assert_answered(const wire::Reply& reply, const wire::Request& request,
                             const std::string& subject) {
  held_bytes_ += reply.failed_call.held_bytes;
  has_timed_ = has_timed_ || request.command == wire::Command::run;
  switch (reply.status) {
    case wire::Status::ok:
      // The worker ends after every error.
      if (reply.cuda_code != 0 || reply.failed_call.error != 0) stop();
      return;
    case wire::Status::cuda_error:
      if (reply.report_bytes > 0) {
        stop();  // the device is unusable, but what led to it was reported
        return;
      }
      fail_at(reply.code, "fails here", explain_error(reply, subject, request));
    case wire::Status::fault:
      fail_at(reply.code, "fails here", explain_fault(reply, subject));
    case wire::Status::runner_error:
      fail(explain_harness_failure(reply, subject, held_bytes_));
  }
  fail(subject + " did not answer.");
}

void Worker::pause() {
  if (process_ != nullptr) process_->pause();
}

void Worker::resume() {
  if (process_ != nullptr) process_->resume();
}

void Worker::stop() {
  if (process_ == nullptr) return;
  earlier_output_ = take_output();
  process_.reset();
  held_bytes_ = 0;
  has_timed_ = false;
}

/// The message names the submission's line that ran.
void Worker::fail_at(std::span<const std::uint64_t> callers, const char* says, Message message) {
  if (const auto place = stopped_at(program_, callers, says)) message.places.push_back(*place);
  fail(message);
}

void Worker::fail(const Message& message) {
  stop();
  throw SubmissionError(message);
}

void Worker::give_up(const std::string& sentence) {
  stop();
  throw InfrastructureError(sentence);
}

std::string Worker::take_output() {
  return std::exchange(earlier_output_, "") + (process_ == nullptr ? "" : process_->take_output());
}

void Worker::report_output(const std::string& subject) {
  constexpr std::size_t most_bytes = 256 << 10;  // far more than anybody reads
  if (!reports_output_) return;
  const std::string text = take_output();
  if (text.empty() || reported_bytes_ > most_bytes) return;
  reported_bytes_ += text.size();
  write_event(schema::Output{subject, text});
}

}  // namespace tilelab::judge
