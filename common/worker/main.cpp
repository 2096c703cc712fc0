// The process that holds a submission. It takes requests, runs the submission's functions on device
// arrays and sends the bytes back. It judges nothing and keeps no clock that counts.

#include <cuda_runtime.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <optional>
#include <string>

#include "driver.h"
#include "worker/backend.h"
#include "worker/call_arrays.h"
#include "worker/channel.h"
#include "worker/entry.h"
#include "worker/forbid.h"
#include "worker/timing.h"

namespace tilelab::worker {
namespace {

std::uint64_t current_nonce = 0;

/// The version that the request in hand asks for.
std::uint32_t version = 0;

/// Copies as much as fits. It is async-signal-safe.
template <std::size_t size>
void copy_text(char (&to)[size], const char* from) {
  std::memcpy(to, from, strnlen(from, size - 1));
}

wire::Reply reply_with(wire::Status status, const char* text) {
  wire::Reply reply;
  reply.nonce = current_nonce;
  reply.status = status;
  copy_text(reply.text, text);
  return reply;
}

/// Where the submission was when an error came up. It is async-signal-safe.
void add_callers(wire::Reply& reply) { std::ranges::copy(fault_callers(), reply.code); }

[[noreturn]] void report_fatal(const char* sentence) {
  wire::Reply reply = reply_with(wire::Status::fault, sentence);
  add_callers(reply);
  send_reply(reply);
  _exit(1);
}

void fatal_handler(const char* sentence) { report_fatal(sentence); }

std::span<const wire::Argument> arguments_of(const wire::Request& request) {
  return {request.arguments, request.argument_count};
}

wire::Reply cuda_error(cudaError_t error) {
  const std::string details = fault_details();
  const std::string text = std::string(cudaGetErrorName(error)) + ": " + cudaGetErrorString(error) +
                           "." + (details.empty() ? "" : " " + details + ".");
  wire::Reply reply = reply_with(wire::Status::cuda_error, text.c_str());
  reply.cuda_code = error;
  reply.explained = details.empty() ? 0 : 1;
  add_callers(reply);
  return reply;
}

/// The error that the function's launches and kernels left behind, if any.
std::optional<wire::Reply> submission_error() {
  const cudaError_t launch = cudaGetLastError();
  const cudaError_t error = launch != cudaSuccess ? launch : cudaDeviceSynchronize();
  if (error == cudaSuccess) return std::nullopt;
  return cuda_error(error);
}

/// The same after a function that may have returned an error.
std::optional<wire::Reply> submission_error(const Entry& entry, cudaError_t returned) {
  if (returned != cudaSuccess) {
    wire::Reply reply = cuda_error(returned);
    reply.telling = wire::Telling::returned;
    return reply;
  }
  std::optional<wire::Reply> reply = submission_error();
  if (reply && entry.returns_error) reply->telling = wire::Telling::ignored;
  return reply;
}

/// Whether the submission's function has not returned yet.
bool is_in_call = false;
/// Whether the request in hand has called it.
bool has_run = false;

/// What became of the CUDA call that had to fail in the function's last call.
FailedCall failed_call;

/// Where the function expects its arrays.
CallArrays::Memory memory_for(const Entry& entry) {
  return entry.returns_error ? CallArrays::Memory::host : CallArrays::Memory::device;
}

/// Calls the function, and reports the error that it left behind. Nothing but the call happens
/// between its begin and its end: what host code may do meanwhile is limited.
std::optional<wire::Reply> call_function(const wire::Request& request, const Entry& entry,
                                         const CallArrays& arrays) {
  begin_call(request.may_read_back != 0);
  begin_counting_calls(request.failing);
  is_in_call = has_run = true;
  const auto returned = static_cast<cudaError_t>(entry.invoke(arrays.values()));
  is_in_call = false;
  failed_call = end_counting_calls();
  std::optional<wire::Reply> error = submission_error(entry, returned);
  end_call();
  if (error) return error;
  const std::string foreign = request.may_read_back != 0 ? "" : arrays.foreign_work();
  if (foreign.empty()) return std::nullopt;
  return reply_with(wire::Status::fault, foreign.c_str());
}

/// Whatever a function says about an error is an answer, if the judge expects it or has caused it.
void expect(wire::Reply& reply, const wire::Request& request) {
  const bool is_told = reply.telling == wire::Telling::returned;
  if (is_told && request.expects_error) reply.status = wire::Status::ok;
  if (!is_told && failed_call.error != cudaSuccess) reply = reply_with(wire::Status::ok, "");
}

wire::Reply call(const Job& job, const Entry& entry) {
  CallArrays arrays(arguments_of(job.request), memory_for(entry));
  const auto call_with = [&](bool turned) {
    arrays.upload(job.images.data(), CallArrays::Upload::inputs_and_outputs);
    if (turned) arrays.turn_inputs(job.images.data());
    set_order(job.request.order, job.request.order_seed);
    arrays.name_for_faults();
    return call_function(job.request, entry, arrays);
  };
  std::optional<wire::Reply> error;
  if (job.request.is_second != 0) error = call_with(true);
  if (!error) error = call_with(false);
  wire::Reply reply = error ? *error : reply_with(wire::Status::ok, "");
  if (error) {
    expect(reply, job.request);
  } else {
    arrays.download(job.results.data());
  }
  reply.failed_call = failed_call;
  return reply;
}

/// Adds what was observed to a reply.
void add_report(const Job& job, wire::Reply& reply) {
  const std::size_t room = job.results.size() - job.request.report_offset;
  const std::vector<std::byte> report = take_report(room);
  if (report.size() > room) {
    reply = reply_with(wire::Status::fault, "launched too many kernels.");
    return;
  }
  std::memcpy(job.results.data() + job.request.report_offset, report.data(), report.size());
  reply.report_bytes = report.size();
}

/// The job in hand.
const Job* job_in_hand = nullptr;

/// A submission may check for errors as programs do, with a macro that ends the process. The error
/// then says more than the end. Without an error, the judge sees how the process ended.
void answer_at_exit() {
  if (!is_in_call) return;
  std::optional<wire::Reply> error = submission_error();
  if (!error) return;
  const std::string text = std::string(error->text) + " Then host code called exit().";
  copy_text(error->text, text.c_str());
  if (job_in_hand->request.command == wire::Command::observe) add_report(*job_in_hand, *error);
  std::fflush(nullptr);
  send_reply(*error);
  _exit(1);
}

wire::Reply observe(const Job& job, const Entry& entry) {
  CallArrays arrays(arguments_of(job.request), memory_for(entry));
  arrays.upload(job.images.data(), CallArrays::Upload::inputs_and_outputs);
  arrays.name_in_report();
  arrays.name_for_faults();
  set_order(job.request.order, job.request.order_seed);

  start_observing(job.request);
  std::optional<wire::Reply> error = call_function(job.request, entry, arrays);
  wire::Reply reply = error ? *error : reply_with(wire::Status::ok, "");
  add_report(job, reply);
  if (!error) arrays.download(job.results.data());
  reply.failed_call = failed_call;
  return reply;
}

wire::Reply run(Timing& timing, const Entry& entry, const wire::Request& request) {
  has_run = true;
  // An error shows at the end of a batch at the latest.
  if (!timing.run(entry, request) || request.end) {
    if (auto error = submission_error()) return *error;
  }
  wire::Reply reply = reply_with(wire::Status::ok, "");
  if (request.end) reply.device_ms = timing.batch_ms();
  return reply;
}

wire::Reply prepare(Timing& timing, std::uint64_t seed) {
  const std::uint64_t held = timing.prepare(seed);
  wire::Reply reply = reply_with(wire::Status::ok, "");
  reply.held_bytes = held;
  return reply;
}

wire::Reply serve(const Job& job) {
  static Timing timing;
  if (job.lacks_files) {
    return reply_with(wire::Status::fault,
                      "earlier calls left so many files open that no file descriptor is free.");
  }
  const wire::Request& request = job.request;
  const Entry& entry = entries()[request.function];
  version = request.version;
  switch (request.command) {
    case wire::Command::call:
      return call(job, entry);
    case wire::Command::observe:
      return observe(job, entry);
    case wire::Command::load:
      timing.load(job);
      break;
    case wire::Command::unload:
      timing.unload();
      break;
    case wire::Command::prepare:
      return prepare(timing, request.seed);
    case wire::Command::run:
      return run(timing, entry, request);
    case wire::Command::sample:
      timing.download_sample(request.read_set, job.results.data());
      break;
    case wire::Command::read:
      timing.set(request.read_set)
          .read(request.read_argument, request.read_offset, request.read_bytes, job.results.data());
      break;
  }
  return reply_with(wire::Status::ok, "");
}

wire::Hello hello() {
  // A device starts slowly, so do it before the clock of the first request runs.
  require(cudaFree(nullptr), "starting the device");
  cudaDeviceProp properties{};
  require(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
  wire::Hello message;
  message.device_memory = properties.totalGlobalMem;
  message.l2_cache = static_cast<std::uint64_t>(properties.l2CacheSize);
  copy_text(message.device, properties.name);
  copy_text(message.bus_id, bus_id().c_str());
  return message;
}

/// A profiler in this process must write files. The judge tells whether there is one.
bool may_write_files() {
  return std::getenv(wire::profiled_variable) != nullptr ||
         std::getenv(wire::unfiltered_variable) != nullptr;
}

void serve_until_closed() {
  const wire::Hello message = hello();
  if (driver_writes_files && !may_write_files() && !forbid_leaving_files())
    throw RunnerError("seccomp");
  send_hello(message);
  // After the device has started, so that it still works then: what is registered last is called
  // first.
  std::atexit(answer_at_exit);
  Job job;
  job_in_hand = &job;
  while (receive(job)) {
    current_nonce = job.request.nonce;
    has_run = false;
    wire::Reply reply;
    try {
      reply = serve(job);
    } catch (const RunnerError& error) {
      reply = reply_with(wire::Status::runner_error, error.what());
      reply.has_run = has_run ? 1 : 0;
    }
    std::fflush(nullptr);  // so that what a call printed is there when the call has ended
    send_reply(reply);
    // After an error the device may be unusable, so the judge starts a fresh process.
    if (reply.status != wire::Status::ok || reply.cuda_code != cudaSuccess) return;
    if (reply.failed_call.error != cudaSuccess) return;
  }
}

}  // namespace
}  // namespace tilelab::worker

unsigned tilelab_version() { return tilelab::worker::version; }

int main() {
  using namespace tilelab::worker;
  // Flush each line: what was printed before a crash helps its author most.
  setvbuf(stdout, nullptr, _IOLBF, 0);
  start_backend(fatal_handler);
  try {
    serve_until_closed();
  } catch (const std::exception& error) {
    report_fatal(error.what());
  }
  // Not exit(), so that nothing of the submission runs after the last reply.
  _exit(0);
}
