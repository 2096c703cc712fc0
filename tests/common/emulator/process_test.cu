// What ends a process. Each case runs in its own process.

#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>

#include "device.h"

namespace {

__global__ void spin(volatile int* flag) {
  if (threadIdx.x == 3) {
    while (*flag == 0) {
    }
  }
  *flag = 1;
}

__global__ void wait_in_vain(volatile int* flag) {
  while (*flag == 0) {
  }
}

// Each block waits until all have come.
__global__ void wait_for_all(unsigned* arrived) {
  atomicAdd(arrived, 1u);
  while (atomicAdd(arrived, 0u) < gridDim.x) {
  }
}

__global__ void endless() {
  for (;;) {
  }
}

__global__ void endless_barriers() {
  for (;;) __syncthreads();
}

// Takes some milliseconds.
__device__ unsigned burnt(unsigned number) {
  for (int i = 0; i < 5000000; ++i) number = number * 1664525u + 1013904223u + (number >> 3);
  return number;
}

__global__ void burn(unsigned* out) { *out = burnt(*out); }

__global__ void burn_and_hang(unsigned* out) {
  const int times = blockIdx.x == 9 ? 1000 : 1;
  for (int k = 0; k < times; ++k) *out = burnt(*out);
}

// Takes longer than the watchdog's period, but makes progress.
__global__ void slow(int* out) {
  for (int i = 0; i < 4000; ++i) {
    for (volatile int j = 0; j < 2000; ++j) {
    }
    __syncthreads();
  }
  *out = 1;
}

__global__ void say(int n) {
  if (threadIdx.x == 1) printf("thread %u of %d says %.2f\n", threadIdx.x, n, 2.5);
}

int report_pipe[2];

void report(const char* sentence) {
  static_cast<void>(!write(report_pipe[1], sentence, std::strlen(sentence)));
  _exit(7);
}

/// Runs the body in a child process and returns what it told the fatal handler. `status` gets how
/// the child ended.
template <class Body>
std::string report_of(Body body, int& status) {
  REQUIRE(pipe(report_pipe) == 0);
  const pid_t child = fork();
  if (child == 0) {
    // Without the test framework's handlers.
    for (const int signal : {SIGSEGV, SIGABRT}) std::signal(signal, SIG_DFL);
    tilelab::emulator::set_fatal_handler(report);
    body();
    _exit(0);
  }
  close(report_pipe[1]);
  std::string text;
  char buffer[512];
  for (ssize_t n; (n = read(report_pipe[0], buffer, sizeof buffer)) > 0;) text.append(buffer, n);
  close(report_pipe[0]);
  waitpid(child, &status, 0);
  return text;
}

}  // namespace

TEST_CASE("host code that touches device memory is told what to do") {
  int status = 0;
  const std::string reading = report_of(
      [] {
        int* device = nullptr;
        cudaMalloc(&device, 400);
        volatile int value = device[25];
        static_cast<void>(value);
      },
      status);
  REQUIRE(WEXITSTATUS(status) == 7);
  REQUIRE_CONTAINS(reading, "host code reads memory through a device pointer");
  REQUIRE_CONTAINS(reading, "cudaMemcpy()");
  const std::string after_kernel = report_of(
      [] {
        int* device = nullptr;
        cudaMalloc(&device, 400);
        say<<<1, 1>>>(0);
        device[0] = 1;
      },
      status);
  REQUIRE(WEXITSTATUS(status) == 7);
  REQUIRE_CONTAINS(after_kernel, "host code writes memory through a device pointer");
  const std::string after_free = report_of(
      [] {
        int* device = nullptr;
        cudaMalloc(&device, 400);
        cudaFree(device);
        device[0] = 1;
      },
      status);
  REQUIRE(WEXITSTATUS(status) == 7);
  REQUIRE_CONTAINS(after_free, "host code writes memory that was freed");
}

TEST_CASE("host code that touches an element of a caller's array is told to copy it") {
  int status = 0;
  const std::string reading = report_of(
      [] {
        auto* const array = static_cast<int*>(tilelab::emulator::allocate_host_array(400));
        volatile int value = array[25];
        static_cast<void>(value);
      },
      status);
  REQUIRE(WEXITSTATUS(status) == 7);
  REQUIRE_CONTAINS(reading, "host code reads an element of an array that it was given");
}

TEST_CASE("host code cannot copy a caller's array to where it can read it") {
  int status = 0;
  const std::string copying = report_of(
      [] {
        void* const array = tilelab::emulator::allocate_host_array(400);
        char own[400];
        tilelab::emulator::begin_call(false);
        cudaMemcpy(own, array, sizeof own, cudaMemcpyHostToHost);
      },
      status);
  REQUIRE(WEXITSTATUS(status) == 7);
  REQUIRE_CONTAINS(copying, "it copied an input to the host");
}

TEST_CASE("other crashes of host code stay what they are") {
  int status = 0;
  const std::string text = report_of(
      [] {
        int* device = nullptr;
        cudaMalloc(&device, 400);
        volatile int* null = nullptr;
        *null = 1;
      },
      status);
  REQUIRE(text.empty());
  REQUIRE(WIFSIGNALED(status));
  REQUIRE(WTERMSIG(status) == SIGSEGV);
}

TEST_CASE("the watchdog names the thread of an endless loop") {
  int status = 0;
  const auto start = std::chrono::steady_clock::now();
  const std::string text = report_of(
      [] {
        tilelab::emulator::set_watchdog(0.2);
        endless<<<1, 1>>>();
      },
      status);
  REQUIRE(WEXITSTATUS(status) == 7);
  REQUIRE_CONTAINS(text, "kernel endless, block (0,0,0), thread (0,0,0): no progress for 0.2 s");
  REQUIRE(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}

TEST_CASE("the watchdog ends a loop without end whose threads meet at barriers") {
  int status = 0;
  const std::string text = report_of(
      [] {
        tilelab::emulator::set_watchdog(0.05);
        endless_barriers<<<1, 2>>>();
      },
      status);
  REQUIRE(WEXITSTATUS(status) == 7);
  REQUIRE_CONTAINS(text, "for 0.5 s none of them has ended");
}

TEST_CASE("the watchdog names the thread that waits for another") {
  int status = 0;
  const std::string text = report_of(
      [] {
        int* flag = nullptr;
        cudaMalloc(&flag, 4);
        cudaMemset(flag, 0, 4);
        tilelab::emulator::set_watchdog(0.2);
        wait_in_vain<<<1, 1>>>(flag);
      },
      status);
  REQUIRE(WEXITSTATUS(status) == 7);
  REQUIRE_CONTAINS(text, "thread (0,0,0)");
  REQUIRE_CONTAINS(text, "waits for a thread that never comes");
}

/// Device memory for a value, which is 0.
template <class T>
T* zero() {
  T* pointer = nullptr;
  cudaMalloc(&pointer, sizeof(T));
  cudaMemset(pointer, 0, sizeof(T));
  return pointer;
}

/// What the process says when it is asked after a while of its own time.
template <class Body>
std::string answer_of(Body body) {
  int status = 0;
  return report_of(
      [body] {
        tilelab::emulator::tell_what_runs_on(SIGVTALRM);
        const itimerval once{{}, {0, 500000}};
        setitimer(ITIMER_VIRTUAL, &once, nullptr);
        body();
      },
      status);
}

TEST_CASE("a kernel whose blocks end is called slow") {
  const std::string text = answer_of([] { burn<<<1000000, 1>>>(zero<unsigned>()); });
  REQUIRE_CONTAINS(text, "blocks had ended, one every ");
  REQUIRE_CONTAINS(text, "so it looks slow rather than stuck");
}

TEST_CASE("a kernel whose blocks end and then one does not is not called slow") {
  const std::string text = answer_of([] { burn_and_hang<<<1000000, 1>>>(zero<unsigned>()); });
  REQUIRE_CONTAINS(text, "kernel burn_and_hang, block (9,0,0)");
  REQUIRE_CONTAINS(text, "has an endless loop");
}

TEST_CASE("a kernel that waits in a loop is said to") {
  const std::string text = answer_of([] { wait_in_vain<<<1, 2>>>(zero<int>()); });
  REQUIRE_CONTAINS(text, "was in a loop that may wait for another thread, and 1 of 1 blocks");
}

TEST_CASE("where an endless loop is can be told") {
  const std::string text = answer_of([] {
    tilelab::emulator::set_fatal_handler([](const char*) {
      const auto callers = tilelab::emulator::fault_callers();
      report(std::ranges::count(callers, 0u) < 14 ? "some" : "none");
    });
    endless<<<1, 1>>>();
  });
  REQUIRE(text == "some");
}

TEST_CASE("threads and blocks wait for others that come later") {
  int status = 0;
  const std::string text = report_of(
      [] {
        int* flag = nullptr;
        cudaMalloc(&flag, 4);
        cudaMemset(flag, 0, 4);
        tilelab::emulator::set_watchdog(10);
        tilelab::emulator::set_order(tilelab::Order::descending, 0);
        spin<<<1, 4>>>(flag);
        unsigned* arrived = nullptr;
        cudaMalloc(&arrived, 4);
        cudaMemset(arrived, 0, 4);
        wait_for_all<<<100, 2>>>(arrived);
      },
      status);
  REQUIRE(text.empty());
  REQUIRE(WIFEXITED(status));
}

TEST_CASE("the watchdog finds blocks that wait for one that has no room") {
  int status = 0;
  const std::string text = report_of(
      [] {
        unsigned* arrived = nullptr;
        cudaMalloc(&arrived, 4);
        cudaMemset(arrived, 0, 4);
        tilelab::emulator::set_watchdog(0.5);
        wait_for_all<<<5000, 1>>>(arrived);
      },
      status);
  REQUIRE(WEXITSTATUS(status) == 7);
  REQUIRE_CONTAINS(text, "a block that cannot start");
}

TEST_CASE("the watchdog does not stop a slow kernel that makes progress") {
  int status = 0;
  const std::string text = report_of(
      [] {
        int* out = nullptr;
        cudaMalloc(&out, 4);
        tilelab::emulator::set_watchdog(0.3);
        slow<<<1, 32>>>(out);
      },
      status);
  REQUIRE(text.empty());
  REQUIRE(WIFEXITED(status));
  REQUIRE(WEXITSTATUS(status) == 0);
}

__host__ __device__ void wait_anywhere() { __syncthreads(); }

TEST_CASE("device functions called by host code end the process with a sentence") {
  int status = 0;
  REQUIRE_CONTAINS(report_of([] { wait_anywhere(); }, status), "host code calls __syncthreads()");
  REQUIRE(WEXITSTATUS(status) == 7);
}

TEST_CASE("kernels print to standard output") {
  int out[2];
  REQUIRE(pipe(out) == 0);
  std::fflush(stdout);  // or the child would print again what Catch2 has printed
  const pid_t child = fork();
  if (child == 0) {
    dup2(out[1], STDOUT_FILENO);
    say<<<1, 2>>>(2);
    std::fflush(stdout);
    _exit(0);
  }
  close(out[1]);
  char text[100] = {};
  REQUIRE(read(out[0], text, sizeof text - 1) > 0);
  close(out[0]);
  int status = 0;
  waitpid(child, &status, 0);
  REQUIRE(std::string(text) == "thread 1 of 2 says 2.50\n");
}
