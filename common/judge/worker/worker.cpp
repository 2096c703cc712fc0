#include "judge/worker/worker.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <random>
#include <system_error>
#include <utility>
#include <vector>

#include "judge/options.h"
#include "judge/worker/endings.h"
#include "judge/worker/errors.h"

namespace tilelab::judge {
namespace {

// A GPU's driver starts slowly, above all if many workers start at once.
constexpr Limits start_limits{60, std::uint64_t{8} << 30};

// After one endless loop the next is likely, and a class should not wait for each in full. So every
// failure after a long time leaves less time to later calls, down to what an honest one needs.
constexpr double long_seconds = 0.2;
constexpr double seconds_after_a_long_failure = 1;
constexpr double fewest_seconds = 0.25;

Clock::time_point after(double seconds) {
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

/// Whether it is the error of a launch with a bad configuration, which depends on the CUDA version.
bool is_launch_error(int cuda_code) {
  constexpr int invalid_value = 1, invalid_configuration = 9;
  return cuda_code == invalid_value || cuda_code == invalid_configuration;
}

/// The text of a reply, cut at the first NUL and made printable: it comes from the submission's
/// process.
template <std::size_t size>
std::string printable(const char (&text)[size]) {
  std::string result(text, strnlen(text, size));
  std::replace_if(
      result.begin(), result.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  return result;
}

}  // namespace

Worker::Worker(std::filesystem::path program) : program_(std::move(program)) {
  std::random_device device;
  nonce_ = (std::uint64_t{device()} << 32) | device();
}

const wire::Hello& Worker::start() {
  if (process_ != nullptr) return hello_;
  process_ = std::make_unique<Process>(program_);
  const std::string subject = "The submission's process";
  const Process::Event event =
      process_->wait(after(start_limits.seconds), start_limits.memory_bytes);
  if (event != Process::Event::readable) {
    if (process_->ending().exit_status == 125) {
      const std::string output = process_->output();
      stop();
      throw InfrastructureError("a worker could not be started: " + output);
    }
    fail(explain_ending(event, process_->ending(), start_limits, subject));
  }
  std::vector<std::byte> message(sizeof(wire::Reply) + 1);
  const ssize_t size = recv(process_->socket(), message.data(), message.size(), 0);
  if (size == sizeof(wire::Reply)) {
    wire::Reply reply;
    std::memcpy(&reply, message.data(), sizeof reply);
    throw InfrastructureError("a worker could not start its device: " + printable(reply.text));
  }
  if (size != sizeof hello_) {
    fail(subject + " wrote to a file descriptor that is not its own.");
  }
  std::memcpy(&hello_, message.data(), sizeof hello_);
  return hello_;
}

wire::Reply Worker::ask(wire::Request request, const MemoryFile* images, const MemoryFile* results,
                        const Limits& limits, const std::string& subject) {
  start();
  request.nonce = ++nonce_;
  request.may_read_back = options().may_read_back;
  request.has_images = images != nullptr;
  request.has_results = results != nullptr;
  const Limits current{std::min(limits.seconds, seconds_left_), limits.memory_bytes};
  const Clock::time_point start = Clock::now();
  try {
    send(request, images, results);
    const Process::Event event = process_->wait(after(current.seconds), current.memory_bytes);
    if (event != Process::Event::readable) {
      fail(explain_ending(event, process_->ending(), current, subject));
    }
    return receive(request, subject);
  } catch (const SubmissionError& error) {
    if (seconds_since(start) < long_seconds) throw;
    seconds_left_ =
        std::max(fewest_seconds, std::min(seconds_left_ / 2, seconds_after_a_long_failure));
    throw LongFailure(error.message);
  }
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

wire::Reply Worker::receive(const wire::Request& request, const std::string& subject) {
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
  const std::string text = printable(reply.text);
  switch (reply.status) {
    case wire::Status::ok:
      return reply;
    case wire::Status::cuda_error:
      if (reply.report_bytes > 0) {
        stop();  // the device is unusable, but what led to it was reported
        return reply;
      }
      fail({subject + " failed with " + text,
            is_launch_error(reply.cuda_code) ? "launch_failed" : ""});
    case wire::Status::fault:
      fail(subject + ": " + text);
    case wire::Status::runner_error:
      fail(subject + " left the device unusable or its memory full: " + text + ".");
  }
  fail(subject + " did not answer.");
}

void Worker::stop() {
  if (process_ == nullptr) return;
  earlier_output_ = output();
  process_.reset();
}

void Worker::fail(const Message& message) {
  stop();
  throw SubmissionError(message);
}

std::string Worker::output() const {
  const std::string all = earlier_output_ + (process_ == nullptr ? "" : process_->output());
  return all.substr(0, Process::output_limit);
}

}  // namespace tilelab::judge
