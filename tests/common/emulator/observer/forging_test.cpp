// Host code cannot change what the observer knows.

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "forging_code.h"
#include "observe.h"

namespace {

int answer_pipe = -1;

[[noreturn]] void answer(const char* sentence) {
  static_cast<void>(!write(answer_pipe, sentence, std::strlen(sentence)));
  _exit(7);
}

/// Runs it under observation in a child process and returns what stops it; "" if nothing does.
std::string end_of(const std::function<void()>& run) {
  int pipe_ends[2];
  REQUIRE(pipe(pipe_ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    answer_pipe = pipe_ends[1];
    tilelab::emulator::set_fatal_handler(answer);
    tilelab::emulator::start_observing({});
    run();
    _exit(0);
  }
  close(pipe_ends[1]);
  std::string sentence;
  char buffer[512];
  for (ssize_t n; (n = read(pipe_ends[0], buffer, sizeof buffer)) > 0;) {
    sentence.append(buffer, static_cast<std::size_t>(n));
  }
  close(pipe_ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  REQUIRE(WIFEXITED(status));
  REQUIRE(WEXITSTATUS(status) == (sentence.empty() ? 0 : 7));
  return sentence;
}

int foreign_variable[16];

void require_stopped(const std::function<void()>& run) {
  const std::string sentence = end_of(run);
  INFO(sentence);
  REQUIRE(sentence.find("host code writes memory that does not belong to it") == 0);
}

}  // namespace

TEST_CASE("host code can use its stack, its heap, its variables and exceptions") {
  REQUIRE(end_of([] {
            use_own_memory(20);
            throw_own();
          }) == "");
  const Report report = observe([] { use_own_memory(3); });
  REQUIRE(report.findings.empty());
}

TEST_CASE("stores to foreign memory are stopped before they happen") {
  std::vector<int> heap(16);
  int stack[16] = {};
  for (int* target : {foreign_variable, heap.data(), stack}) {
    require_stopped([&] { store_to(target); });
  }
  // The observer's and the runtime's own state.
  require_stopped([] { store_to(reinterpret_cast<int*>(&tilelab::emulator::live_allocations)); });
  require_stopped([] { store_to(reinterpret_cast<int*>(stdout)); });
}

TEST_CASE("so are the C library's writers") {
  require_stopped([] { copy_to(foreign_variable, 32); });
  require_stopped([] { print_to(reinterpret_cast<char*>(foreign_variable)); });
  require_stopped([] { sort_at(foreign_variable); });
}

TEST_CASE("the CUDA runtime does not write foreign memory for the submission") {
  foreign_variable[0] = 77;
  Report report = observe([] { copy_from_device_to(foreign_variable); });
  REQUIRE(foreign_variable[0] == 77);
  REQUIRE(report.findings.size() == 1);
  REQUIRE(report.findings[0].kind == FindingKind::forbidden_write);
  report = observe([] { REQUIRE(!allocate_to(foreign_variable)); });
  REQUIRE(foreign_variable[0] == 77);
  REQUIRE(report.findings.size() == 1);
}

TEST_CASE("a device pointer in host code gets its own sentence") {
  Array<int> device(4);
  const std::string sentence = end_of([&] { store_to(device); });
  INFO(sentence);
  REQUIRE(sentence.find("host code") == 0);
  REQUIRE(sentence.find("through a device pointer") != std::string::npos);
}

TEST_CASE("foreign memory cannot be freed") {
  std::vector<int> heap(16);
  REQUIRE(end_of([&] { free_foreign(heap.data()); }).find("host code frees") == 0);
}
