#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "contract/detail.h"
#include "contract/order.h"

/// What judge and worker say to each other: one Request, one Reply, over a SOCK_SEQPACKET socket.
///
/// Data never travels in the messages. A Request carries up to two memory files (SCM_RIGHTS): the
/// images, which the worker can only read, and the results, which it fills.
namespace tilelab::wire {

/// The descriptor on which a worker finds its socket.
inline constexpr int worker_socket = 3;

/// Of a contract function.
inline constexpr std::size_t max_arguments = 12;

/// In a worker's environment if a profiler runs it. Submissions' workers get theirs from the judge.
inline constexpr const char* profiled_variable = "TILELAB_PROFILED";

/// What a function does with an argument.
enum class Role : std::uint32_t {
  input,   ///< reads the array
  output,  ///< writes the array
  scalar   ///< gets a value
};

/// One array as it lies in a memory file: guard zone, payload, guard zone.
struct Image {
  std::uint64_t offset = 0;   ///< of the front guard zone, in bytes from the file's start
  std::uint64_t front = 0;    ///< bytes before the payload
  std::uint64_t payload = 0;  ///< bytes of the array itself
  std::uint64_t back = 0;     ///< bytes after the payload

  /// Of zones and payload together.
  std::uint64_t bytes() const { return front + payload + back; }
};

/// One argument of a call.
struct Argument {
  Role role = Role::scalar;         ///< says which of the members below count
  Image image;                      ///< of inputs and outputs
  std::uint32_t element_bytes = 1;  ///< of inputs and outputs
  char name[32] = {};               ///< of the parameter
  std::byte value[16] = {};         ///< of a scalar, its first bytes
};

/// What a worker is asked to do.
enum class Command : std::uint32_t {
  call,     ///< upload the images, run the function once, download all images
  observe,  ///< as call, but outputs are not filled first, and a report follows the results
  load,     ///< make `sets` sets of device buffers, which stay, and upload the inputs into each
  prepare,  ///< overwrite the loaded outputs with the byte `poison` and flush the L2 cache
  run,      ///< run the function `launches` times, going round the loaded sets
  read,     ///< download `read_bytes` of one loaded array
};

/// A message of the judge.
struct Request {
  std::uint64_t nonce = 0;            ///< comes back in the reply
  Command command = Command::call;    ///< says which of the members below count
  std::uint32_t function = 0;         ///< index into the lab's list of functions
  std::uint32_t has_images = 0;       ///< whether the file of images came along
  std::uint32_t has_results = 0;      ///< whether the file for results came along
  std::uint32_t argument_count = 0;   ///< of `arguments`, those that count
  Order order = Order::ascending;     ///< of blocks and threads
  std::uint64_t order_seed = 0;       ///< of Order::random
  Argument arguments[max_arguments];  ///< of the function, in its order

  Detail detail = Detail::counts;   ///< of `observe`
  std::uint64_t report_offset = 0;  ///< into the results file; the report may fill the rest of it

  std::uint32_t sets = 0;      ///< of `load`
  std::uint32_t launches = 0;  ///< of `run`
  std::uint32_t poison = 0;    ///< of `prepare`: a byte

  std::uint32_t read_set = 0;       ///< of `read`: which of the loaded sets
  std::uint32_t read_argument = 0;  ///< of `read`: index of the array among the arguments
  std::uint64_t read_offset = 0;    ///< in bytes from the payload's start
  std::uint64_t read_bytes = 0;     ///< how many of them
};

/// How a request ended.
enum class Status : std::uint32_t {
  ok,            ///< it was done
  cuda_error,    ///< the function's launch or kernel failed (an observed call may report why)
  fault,         ///< the function did something that ends the worker; `text` says what
  runner_error,  ///< the worker could not do its own part (out of device memory, say)
};

/// A message of the worker.
struct Reply {
  std::uint64_t nonce = 0;         ///< the request's
  Status status = Status::ok;      ///< how it ended
  std::int32_t cuda_code = 0;      ///< that of Status::cuda_error
  std::uint64_t report_bytes = 0;  ///< of `observe`; complete even if the function failed
  double device_ms = 0;            ///< time between device events round the launches of `run`
  char text[1024] = {};            ///< the sentence that goes with a status other than ok
};

/// The first message of a worker, before any request.
struct Hello {
  std::uint64_t device_memory = 0;  ///< bytes
  std::uint64_t l2_cache = 0;       ///< bytes
  char device[256] = {};            ///< what the GPU or the emulator calls itself
  char bus_id[32] = {};             ///< of the GPU, as cudaDeviceGetPCIBusId() has it
};

static_assert(std::is_trivially_copyable_v<Request> && std::is_trivially_copyable_v<Reply> &&
              std::is_trivially_copyable_v<Hello>);

}  // namespace tilelab::wire
