#pragma once

#include <signal.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "contract/detail.h"
#include "contract/failed_call.h"
#include "contract/order.h"

/// What judge and worker say to each other: a Request is answered by a Reply, over a SOCK_SEQPACKET
/// socket.
///
/// Data never travels in the messages. A Request carries up to two memory files (SCM_RIGHTS): the
/// images, which the worker can only read, and the results, which it fills.
namespace tilelab::wire {

/// The descriptor on which a worker finds its socket.
inline constexpr int worker_socket = 3;

/// A worker that gets this signal has used up its time. It says what it was doing, as the fault
/// that ends it.
inline constexpr int time_is_over = SIGXCPU;

/// A contract function has at most this many parameters.
inline constexpr std::size_t max_arguments = 12;

/// The environment of a worker has this variable if a profiler runs it. The judge chooses the
/// environment, so a submission cannot claim it.
inline constexpr const char* profiled_variable = "TILELAB_PROFILED";
/// This environment variable is set where the system cannot filter system calls, and a person
/// accepted that.
inline constexpr const char* unfiltered_variable = "TILELAB_UNFILTERED";

/// What a function does with an argument.
enum class Role : std::uint32_t {
  input,    ///< The function reads the array.
  output,   ///< The function writes the array.
  inout,    ///< The function reads and writes the array.
  scratch,  ///< The function works in the array. What it holds before and after does not matter.
  scalar,   ///< The function gets a value.
  returned  ///< The function returns the value. It comes after the function's parameters.
};

/// Whether the argument is an array.
constexpr bool is_array(Role role) {
  return role == Role::input || role == Role::output || role == Role::inout ||
         role == Role::scratch;
}

/// Whether the argument is an array that holds something before a call.
constexpr bool is_read(Role role) { return role == Role::input || role == Role::inout; }

/// Whether the argument holds a result after a call.
constexpr bool is_written(Role role) {
  return role == Role::output || role == Role::inout || role == Role::returned;
}

/// One array as it lies in a memory file: a guard zone, the payload, a guard zone. What a function
/// returns has no guard zones.
struct Image {
  std::uint64_t offset = 0;   ///< The front guard zone starts this many bytes into the file.
  std::uint64_t front = 0;    ///< The front guard zone has this many bytes.
  std::uint64_t payload = 0;  ///< The array itself has this many bytes.
  std::uint64_t back = 0;     ///< The back guard zone has this many bytes.

  /// The length of the zones and the payload together.
  std::uint64_t bytes() const { return front + payload + back; }
};

/// One argument of a call.
struct Argument {
  Role role = Role::scalar;         ///< The role says which of the members below count.
  Image image;                      ///< Where an array lies in the files.
  std::uint32_t element_bytes = 1;  ///< The size of an array's element.
  char name[32] = {};               ///< The parameter's name.
  std::byte value[256] = {};        ///< The first bytes are the value of a scalar.
};

/// What a worker is asked to do.
enum class Command : std::uint32_t {
  call,     ///< Upload the images, run the function once, and download all images.
  observe,  ///< Do the same in a checked build, do not upload outputs, and add a report.
  load,     ///< Make `sets` more sets of device buffers, which stay, with these inputs.
  unload,   ///< Free all sets.
  prepare,  ///< Fill the loaded outputs with noise, and flush the L2 cache.
  run,      ///< Start `launches` launches, which use the loaded sets in turn.
  read,     ///< Download `read_bytes` of one loaded array.
  sample,   ///< Download what was kept of the outputs of one launch of the last batch.
};

/// A message of the judge.
struct Request {
  std::uint64_t nonce = 0;           ///< The reply must repeat this number.
  Command command = Command::call;   ///< The command says which of the members below count.
  std::uint32_t function = 0;        ///< An index into the lab's list of functions.
  std::uint32_t version = 0;         ///< Of a submission that has several, which one runs.
  std::uint32_t has_images = 0;      ///< Whether the file of images came along.
  std::uint32_t has_results = 0;     ///< Whether the file for results came along.
  std::uint32_t may_read_back = 0;   ///< Whether host code may copy arrays to the host.
  std::uint32_t argument_count = 0;  ///< This many of `arguments` count.
  Order order = Order::ascending;    ///< The order of blocks and threads.
  std::uint64_t order_seed = 0;      ///< The seed of Order::random.
  std::uint32_t expects_error = 0;   ///< For `call`: an error that the function returns is no end.
  CallToFail failing;                ///< For `call`: a CUDA call that fails.
  /// For `call`: whether the function runs once before, in the same arrays, with the elements of
  /// its inputs in another order.
  std::uint32_t is_second = 0;
  Argument arguments[max_arguments];  ///< The function's arguments, in its order.

  Detail detail = Detail::counts;   ///< For `observe`: how much to look at.
  std::uint64_t block_limit = 0;    ///< For `observe`: at this many blocks of a launch; 0 for all.
  std::uint64_t report_offset = 0;  ///< For `observe`: the report may fill the file from here on.

  std::uint32_t sets = 0;        ///< For `load`: how many sets. For `run`: how many are in use.
  std::uint32_t first = 0;       ///< For `run`: the first set that is used.
  std::uint32_t launches = 0;    ///< For `run`: the number of launches.
  std::uint32_t begin = 1;       ///< For `run`: whether a batch begins.
  std::uint32_t end = 1;         ///< For `run`: whether it ends, so that the reply waits for it.
  std::uint32_t turns_only = 0;  ///< For `run`: whether the function itself is left out.
  /// For `run`: the set that keeps what arrays held at first. Before each launch, those that a call
  /// reads and writes get that again. It is 0 if none do.
  std::uint32_t originals = 0;
  /// For `prepare`: the noise. For `run`: see contract/turn.h; it needs the originals, unless it is
  /// 0.
  std::uint64_t seed = 0;

  std::uint32_t read_set = 0;       ///< For `read`: a set. For `sample`: a launch of the batch.
  std::uint32_t read_argument = 0;  ///< For `read`: the index of the array among the arguments.
  std::uint64_t read_offset = 0;    ///< For `read`: the bytes to skip in the payload.
  std::uint64_t read_bytes = 0;     ///< For `read`: the bytes to download.
};

/// How a request ended.
enum class Status : std::uint32_t {
  ok,            ///< The worker did what it was asked to do.
  cuda_error,    ///< The function's launch or kernel failed. A report may say why.
  fault,         ///< The function did something that ends the worker, and `text` says what.
  runner_error,  ///< The worker could not do its own part: it ran out of device memory, say.
};

/// What a function says about an error.
enum class Telling : std::uint32_t {
  silent,    ///< It returns nothing, and leaves the error to its caller.
  returned,  ///< It returned the error.
  ignored    ///< It returned cudaSuccess, although something had failed.
};

/// A message of the worker.
struct Reply {
  std::uint64_t nonce = 0;     ///< The number that came with the request.
  Status status = Status::ok;  ///< How the request ended.
  /// The code of Status::cuda_error. For Status::ok, what a call that expects an error returned.
  std::int32_t cuda_code = 0;
  Telling telling = Telling::silent;  ///< What the function said about the error.
  std::uint64_t report_bytes = 0;     ///< The report's length. It is complete even after an error.
  std::uint32_t has_run = 0;          ///< Whether the function had been called by then.
  std::uint32_t explained = 0;        ///< Whether `text` says more than the error's name and text.
  double device_ms = 0;          ///< For `run`: the batch's time by device events, in milliseconds.
  std::uint64_t held_bytes = 0;  ///< For `prepare`: device memory that launches left allocated.
  /// Where the functions were that ran when an error came up: the innermost first, as `addr2line`
  /// expects it. 0 is nowhere.
  std::uint64_t code[FailedCall::most_callers] = {};
  FailedCall failed_call;  ///< For `call`: what became of the CUDA call that had to fail.
  char text[1024] = {};    ///< The sentence that explains any status but ok.
};

/// The first message of a worker, before any request.
struct Hello {
  std::uint64_t device_memory = 0;  ///< The device has this many bytes of memory.
  std::uint64_t l2_cache = 0;       ///< The L2 cache has this many bytes.
  char device[256] = {};            ///< The name of the GPU or of the emulator.
  char bus_id[32] = {};             ///< Where the GPU is, as cudaDeviceGetPCIBusId() says it.
};

static_assert(std::is_trivially_copyable_v<Request> && std::is_trivially_copyable_v<Reply> &&
              std::is_trivially_copyable_v<Hello>);

}  // namespace tilelab::wire
