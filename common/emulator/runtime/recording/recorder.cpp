#include "emulator/runtime/recording/recorder.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <vector>

#include "emulator/emulator.h"
#include "emulator/runtime/link_time_address.h"
#include "schema/hexadecimal.h"
#include "schema/json.h"
#include "schema/recording.h"

/// The executable's first byte in memory, and the one after its last.
extern "C" [[gnu::visibility("hidden")]] const char __executable_start[], _end[];

namespace tilelab::emulator {
namespace {

const char* environment(const char* variable) {
  const char* const said = std::getenv(variable);
  return said == nullptr ? "" : said;
}

/// The numbers that a variable of the environment has, which nobody finds there again.
std::vector<std::uint64_t> take_numbers(const char* variable) {
  std::vector<std::uint64_t> numbers;
  char* const said = std::getenv(variable);
  if (said == nullptr) return numbers;
  std::istringstream words(said);
  for (std::uint64_t number = 0; words >> number;) numbers.push_back(number);
  std::fill_n(said, std::strlen(said), '0');
  return numbers;
}

/// A kernel's name as one word.
std::string without_spaces(std::string name) {
  std::erase(name, ' ');
  return name;
}

void add_argument(void* arguments, const Argument& argument) {
  static_cast<std::vector<std::string>*>(arguments)->push_back(
      schema::digits_of(argument.value, argument.bytes));
}

const char* name_of(schema::Contents contents) {
  switch (contents) {
    case schema::Contents::zeros:
      return "zeros";
    case schema::Contents::fractions:
      return "fractions";
    case schema::Contents::units:
      return "units";
    case schema::Contents::bits:
      return "bits";
    case schema::Contents::scratch:
      return "scratch";
  }
  return "";
}

schema::Triple triple_of(const dim3& v) { return {v.x, v.y, v.z}; }

}  // namespace

template <class Event>
void Recorder::add(const Event& event) {
  text_ += to_json(event) + '\n';
}

Recorder::Recorder() {
  show_multiprocessors(std::max(1, std::atoi(environment("TILELAB_MULTIPROCESSORS"))));
  std::istringstream words(environment("TILELAB_KERNELS"));
  for (std::string word; words >> word;) {
    std::uint64_t address = 0;
    Resources kernel;
    if (std::sscanf(word.c_str(), "%" SCNx64 ":%d:%zu", &address, &kernel.registers,
                    &kernel.static_shared_bytes) == 3) {
      kernels_[address] = kernel;
    }
  }
  std::vector<std::uint64_t> salt = take_numbers("TILELAB_SALT");
  salt.resize(1);
  left_ = take_numbers("TILELAB_LEFT");
  if (const char* const blocks = std::getenv("TILELAB_BLOCKS")) trial_.emplace(blocks, salt[0]);
  add(schema::Begin{});
  add(schema::Variables{reinterpret_cast<std::uintptr_t>(__executable_start),
                        static_cast<std::size_t>(_end - __executable_start)});
}

template <class Event>
void Recorder::add_changes() {
  for (const Trial::Words& it : trial_->changes()) {
    add(Event{reinterpret_cast<std::uintptr_t>(it.begin), schema::digits_of(it.begin, it.bytes)});
  }
}

void Recorder::array(void* address, std::size_t bytes, schema::Contents contents) {
  add(schema::Array{reinterpret_cast<std::uintptr_t>(address), bytes, name_of(contents)});
  if (trial_) trial_->array(static_cast<std::byte*>(address), bytes, contents);
}

void Recorder::launch(const KernelCall& kernel, const LaunchConfiguration& configuration) {
  schema::RecordedLaunch made{
      .function = kernel.function ? link_time_address(kernel.function) : 0,
      .kernel = without_spaces(kernel.name),
      .grid = triple_of(configuration.grid),
      .block = triple_of(configuration.block),
      .dynamic_shared_bytes = configuration.dynamic_shared_bytes,
      .arguments = {},
  };
  kernel.arguments.visit(add_argument, &made.arguments);
  if (trial_) add_changes<schema::HostStored>();
  add(made);
}

const std::vector<std::uint64_t>* Recorder::blocks_to_run() {
  if (trial_->runs_all()) {
    add(schema::Ran{});
    return nullptr;
  }
  const std::vector<std::uint64_t>& blocks = trial_->next_blocks();
  add(schema::Ran{blocks});
  return &blocks;
}

BlockTimes* Recorder::times() {
  times_ = {};
  return trial_->runs_all() ? &times_ : nullptr;
}

void Recorder::launch_ends() {
  if (trial_->runs_all()) {
    add(schema::RanLonger{times_.far_longer()});
    trial_->changes();
  } else {
    add_changes<schema::Stored>();
  }
}

void Recorder::moves(std::size_t bytes) { add(schema::Moved{bytes}); }

void Recorder::host_reads() { add(schema::HostReads{}); }

void Recorder::end() {
  for (const std::uint64_t address : left_) {
    const Trial::Words words = trial_->words_at(address);
    add(schema::Left{address, schema::digits_of(words.begin, words.bytes)});
  }
  add(schema::End{});
}

Recorder::Resources Recorder::resources_of(const void* kernel) const {
  const auto found = kernels_.find(link_time_address(kernel));
  return found == kernels_.end() ? Resources{} : found->second;
}

}  // namespace tilelab::emulator
