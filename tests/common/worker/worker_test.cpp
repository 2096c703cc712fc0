// Judge and worker together: every misbehavior has its sentence, and none reaches the judge.

#include "probe.h"
//
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>
#include <numeric>
#include <system_error>
#include <vector>

#include "judge/calls/arguments.h"
#include "judge/calls/runs.h"
#include "judge/catch.h"
#include "judge/options.h"
#include "judge/worker/descriptor.h"
#include "judge/worker/errors.h"
#include "judge/worker/machine_lock.h"
#include "judge/worker/memory_file.h"
#include "judge/worker/process.h"
#include "judge/worker/worker.h"

using namespace tilelab;
using namespace tilelab::judge;

namespace {

std::filesystem::path program(const std::string& name) {
  return std::filesystem::path(WORKER_FOLDER) / name;
}

/// Whether system calls are filtered here. Where they are not, some of the programs would do harm.
bool filters_calls() {
  if (options().unfiltered) WARN("NOT RUN: this system cannot filter system calls");
  return !options().unfiltered;
}

struct Probe {
  std::vector<int> in;
  Output<int> out{"out", in.size()};
  std::vector<CallArgument> arguments = arguments_of<probe>(in, out, static_cast<int>(in.size()));

  explicit Probe(std::size_t n = 1000) : in(n) { std::iota(in.begin(), in.end(), 0); }

  CallResult call(Worker& worker) {
    return run_in_orders(worker, function_of<probe>(), arguments, all_orders);
  }
};

std::ptrdiff_t open_descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

/// This process can open two more descriptors as long as this lives.
class OnlyTwoDescriptors {
 public:
  OnlyTwoDescriptors() {
    const Descriptor first(dup(STDIN_FILENO)), second(dup(STDIN_FILENO));
    getrlimit(RLIMIT_NOFILE, &usual_);
    rlimit few = usual_;
    few.rlim_cur = static_cast<rlim_t>(second.number()) + 1;
    setrlimit(RLIMIT_NOFILE, &few);
  }
  ~OnlyTwoDescriptors() { setrlimit(RLIMIT_NOFILE, &usual_); }

 private:
  rlimit usual_{};
};

/// Whether workers run on the emulator, where a test can change the device.
bool has_emulator() {
  const bool has = std::filesystem::exists(program("device_full_once"));
  if (!has) WARN("NOT RUN: needs the emulator");
  return has;
}

/// The sentence that the named worker's call of probe() comes to, or "" if the call returns.
std::string sentence_of(const std::string& name) {
  Worker worker(program(name));
  try {
    const CallResult result = Probe().call(worker);
    return result.violations.empty() ? "" : result.violations.front().sentence;
  } catch (const SubmissionError& error) {
    return error.what();
  }
}

// Enough for a call that ends for another reason, even on a busy machine.
constexpr double before_time_runs_out = 30;

/// Sets small limits, for the length of a test.
struct ShortLimits {
  ShortLimits() {
    options().time_limit = 0.5;
    options().memory_limit = 256 << 20;
  }
  ~ShortLimits() { options() = before; }
  Options before = options();
};

/// Programs that want all processors of the machine.
class Crowd {
 public:
  explicit Crowd(long programs) {
    for (long i = 0; i < programs; ++i) {
      pids_.push_back(fork());
      if (pids_.back() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (const volatile bool forever = true; forever;) {
        }
      }
    }
  }
  ~Crowd() {
    for (const pid_t pid : pids_) kill(pid, SIGKILL);
    for (const pid_t pid : pids_) waitpid(pid, nullptr, 0);
  }
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;

 private:
  std::vector<pid_t> pids_;
};

bool gives_right_results(Worker& worker) {
  Probe probe;
  const CallResult result = probe.call(worker);
  for (const RunResult& run : result.runs) {
    probe.out.add_run(run.outputs[0].before, run.outputs[0].values);
    for (std::size_t i = 0; i < probe.in.size(); ++i) {
      if (probe.out.runs().back().values[i] != probe.in[i] + 1) return false;
    }
  }
  return result.violations.empty() && result.runs.size() == 3;
}

}  // namespace

TEST_CASE("an honest worker's results come back, run after run") {
  Worker worker(program("honest"));
  CHECK(gives_right_results(worker));
  CHECK(gives_right_results(worker));
}

TEST_CASE("outputs that are not written keep the noise they had") {
  Worker worker(program("leaves_outputs"));
  for (const RunResult& run : Probe().call(worker).runs) {
    CHECK(run.outputs[0].before == run.outputs[0].values);
  }
}

TEST_CASE("a worker that ends before or during a call has not answered") {
  CHECK_THAT(sentence_of("exits_in_constructor"),
             contains("The submission's process ended the whole program (exit status 0)"));
  CHECK_THAT(sentence_of("exits_in_call"),
             contains("probe(int[1000], int[1000], 1000) ended the whole program (exit status 0) "
                      "instead of returning"));
}

TEST_CASE("a forged test report is only text that a submission printed") {
  Worker worker(program("forges_report"));
  CHECK_THROWS_WITH(Probe().call(worker), contains("ended the whole program (exit status 0)"));
  CHECK_THAT(worker.take_output(), contains("All tests passed"));
}

TEST_CASE("what a submission printed before it crashed is kept") {
  Worker worker(program("prints_and_aborts"));
  CHECK_THROWS_AS(Probe().call(worker), SubmissionError);
  CHECK(worker.take_output() == "n is 1000\n");
}

TEST_CASE("a worker cannot signal, start or reach other processes") {
  if (!filters_calls()) return;
  for (const char* name :
       {"kills_parent", "kills_everything", "forks", "starts_program", "opens_connection"}) {
    INFO(name);
    CHECK_THAT(sentence_of(name),
               contains("was stopped because it tried what a submission must not do"));
  }
}

TEST_CASE("where system calls cannot be filtered, workers start without, if that is accepted") {
  const Options before = options();
  options().unfiltered = true;
  Worker worker(program("honest"));
  CHECK(gives_right_results(worker));
  CHECK_THAT(sentence_of("opens_connection"), !contains("what a submission must not do"));
  options() = before;
}

TEST_CASE("host code may not copy arrays to the host, unless it is allowed to") {
  if (!has_emulator()) return;
  const Options before = options();
  CHECK(sentence_of("honest") == "");
  options().may_read_back = false;
  CHECK_THAT(sentence_of("honest"), contains("it copied an input to the host"));
  options() = before;
}

TEST_CASE("a worker that does not answer is ended at its time limit") {
  const ShortLimits limits;
  CHECK_THAT(sentence_of("loops"), contains("did not finish within 0.5 s of processor time"));
  CHECK_THAT(sentence_of("stops_itself"), contains("did not finish within 2 s: it sleeps"));
}

TEST_CASE("what ran when the time was over is told, and that it may be slow") {
  if (!has_emulator()) return;
  const ShortLimits limits;
  const std::string sentence = sentence_of("loops");
  CHECK_THAT(sentence, contains("processor time. At that time host code was running. The call is "
                                "too slow, or has an endless loop."));
}

TEST_CASE("a busy machine costs a call no time") {
  const ShortLimits limits;
  const Crowd crowd(2 * sysconf(_SC_NPROCESSORS_ONLN));
  // It needs 0.3 s, and gets a third of a processor at most.
  CHECK(sentence_of("computes") == "");
}

TEST_CASE("calls run alongside those of other judges, or alone") {
  const std::filesystem::path calls = options().confine, gate = calls.parent_path();
  const auto others_may = [](const std::filesystem::path& lock, int operation) {
    const int file = open(lock.c_str(), O_RDONLY | O_CLOEXEC);
    const bool may = flock(file, operation | LOCK_NB) == 0;
    close(file);
    return may;
  };
  {
    const MachineLock lock(MachineLock::Kind::beside_others);
    CHECK(others_may(calls, LOCK_SH));
    CHECK_FALSE(others_may(calls, LOCK_EX));
  }
  const MachineLock lock(MachineLock::Kind::alone);
  CHECK_FALSE(others_may(gate, LOCK_EX));
  CHECK_FALSE(others_may(calls, LOCK_SH));
}

TEST_CASE("after a call that took long and failed, later calls get less time") {
  Worker worker(program("loops"));
  Probe probe;
  CHECK_THROWS_WITH(probe.call(worker), contains("did not finish within 2 s of processor time"));
  for (const char* limit : {"within 1 s", "within 0.5 s", "within 0.25 s", "within 0.25 s"}) {
    CHECK_THROWS_WITH(probe.call(worker), contains(limit));
  }
}

TEST_CASE("what may take longer than usual may do so after a long failure, too") {
  const ShortLimits limits;
  Worker worker(program("loops"));
  Probe usual;
  for (const char* limit : {"within 0.5 s", "within 0.5 s", "within 0.5 s", "within 0.25 s"}) {
    CHECK_THROWS_WITH(usual.call(worker), contains(limit));
  }
  Probe large(10'000);
  const LongerCalls longer;
  CHECK_THROWS_WITH(large.call(worker), contains("within 2 s"));
}

TEST_CASE("a worker that takes too much memory is ended") {
  const ShortLimits limits;
  options().time_limit = before_time_runs_out;
  CHECK_THAT(sentence_of("fills_memory"), contains("used more than 256 MiB of memory"));
}

TEST_CASE("memory that earlier calls left in use is told from that of the last") {
  const ShortLimits limits;
  options().time_limit = before_time_runs_out;
  CHECK_THAT(sentence_of("leaves_memory"),
             contains("used more than 256 MiB of memory: earlier calls had left "));
  CHECK_THAT(sentence_of("fills_memory"), !contains("earlier calls"));
}

TEST_CASE("a call that finds no room tells what earlier calls left allocated") {
  if (!has_emulator()) return;
  CHECK_THAT(sentence_of("device_full_after_a_leak"),
             contains("could not be called: cudaMalloc: out of memory. Earlier calls left device "
                      "memory (30 MiB) allocated"));
}

TEST_CASE("a device that others have filled is no submission's fault") {
  if (!has_emulator()) return;
  Worker full_for_a_while(program("device_full_once"));
  CHECK(gives_right_results(full_for_a_while));
  Worker full(program("device_always_full"));
  CHECK_THROWS_AS(Probe().call(full), InfrastructureError);
}

TEST_CASE("files that earlier calls left open are told") {
  CHECK_THAT(sentence_of("leaves_files_open"), contains("earlier calls left so many files open"));
}

TEST_CASE("page tables count as memory") {
  const ShortLimits limits;
  options().time_limit = before_time_runs_out;
  CHECK_THAT(sentence_of("fills_page_tables"), contains("used more than 256 MiB of memory"));
}

TEST_CASE("there is no memory that does not count") {
  // A GPU's driver shares memory itself.
  if (!has_emulator() || !filters_calls()) return;
  Worker worker(program("hides_memory"));
  CHECK(gives_right_results(worker));
}

TEST_CASE("a worker cannot start thousands of threads") {
  if (!filters_calls()) return;
  // The emulator's workers cannot start any. The driver of a GPU needs some.
  const std::string sentence = sentence_of("starts_threads");
  if (!sentence.empty()) CHECK_THAT(sentence, contains("started more than 256 threads"));
}

TEST_CASE("a worker that the system kills is nobody's fault but the machine's") {
  Worker worker(program("kills_itself"));
  CHECK_THROWS_AS(Probe().call(worker), InfrastructureError);
}

TEST_CASE("writes outside the outputs are found") {
  CHECK_THAT(sentence_of("writes_past_end"),
             contains("probe wrote past the end of out: at [1000] and [1001]"));
  CHECK_THAT(sentence_of("writes_before_start"),
             contains("wrote before the start of out: at [-1]"));
  CHECK_THAT(sentence_of("changes_input"), contains("probe changed in, which is read only"));
}

TEST_CASE("an answer of the submission's own making is refused") {
  CHECK_THAT(sentence_of("forges_reply"), contains("the answer did not come from the harness"));
  CHECK_THAT(sentence_of("truncates_reply"), contains("the answer did not come from the harness"));
  CHECK_THAT(sentence_of("closes_socket"),
             contains("closed a file descriptor that is not its own"));
}

TEST_CASE("a crash has a sentence that says which") {
  CHECK_THAT(sentence_of("aborts"), contains("was aborted"));
  CHECK_THAT(sentence_of("throws"), contains("was aborted"));
  CHECK_THAT(sentence_of("dereferences_null"), contains("crashed (segmentation fault)"));
  CHECK_THAT(sentence_of("uses_device_pointer"), contains("device pointer"));
}

TEST_CASE("after a worker died the next call starts a new one") {
  Worker worker(program("exits_in_call"));
  CHECK_THROWS_AS(Probe().call(worker), SubmissionError);
  CHECK_THROWS_AS(Probe().call(worker), SubmissionError);
}

TEST_CASE("a flood of output is cut, and harms nothing") {
  Worker worker(program("floods_output"));
  CHECK(gives_right_results(worker));
  const std::string output = worker.take_output();
  CHECK_THAT(output, contains("[...]"));
  CHECK(output.size() <= Process::output_limit + 10);
  CHECK(worker.take_output().empty());
}

TEST_CASE("a worker leaves no file behind and removes none") {
  if (!filters_calls()) return;
  Worker worker(program("writes_file"));
  CHECK(gives_right_results(worker));
  CHECK_FALSE(std::filesystem::exists("left_behind"));
  CHECK(std::filesystem::exists(program("honest")));
}

TEST_CASE("a stopped worker leaves no process behind") {
  {
    Worker worker(program("honest"));
    worker.start();
    CHECK(waitpid(-1, nullptr, WNOHANG) == 0);  // there is one
  }
  CHECK(waitpid(-1, nullptr, WNOHANG) == -1);
  CHECK(errno == ECHILD);
}

TEST_CASE("what cannot be made leaves no descriptor open") {
  constexpr std::size_t too_large = std::size_t{1} << 62;
  const auto before = open_descriptors();
  CHECK_THROWS_AS(MemoryFile(too_large, MemoryFile::Writer::worker_too), std::system_error);
  CHECK(open_descriptors() == before);
  {
    const OnlyTwoDescriptors limit;  // enough for the sockets, too few for the pipe
    CHECK_THROWS_AS(Process(program("honest")), std::system_error);
  }
  CHECK(open_descriptors() == before);
}

TEST_CASE("a worker program that cannot be started is nobody's fault but ours") {
  Worker worker(program("no_such_worker"));
  CHECK_THROWS_AS(Probe().call(worker), InfrastructureError);
}
