#include "judge/options.h"

#include <random>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace tilelab::judge {
namespace {

std::uint64_t secret_seed() {
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

double positive_number(const std::string& name, const std::string& text) {
  std::size_t used = 0;
  double value = 0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used == 0 || used != text.size() || !(value > 0)) {
    throw std::invalid_argument(name + " needs a number above 0, got '" + text + "'");
  }
  return value;
}

std::uint64_t whole_number(const std::string& name, const std::string& text) {
  std::size_t used = 0;
  std::uint64_t value = 0;
  try {
    value = std::stoull(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used == 0 || used != text.size()) {
    throw std::invalid_argument(name + " needs a whole number, got '" + text + "'");
  }
  return value;
}

/// Numbers with commas in between.
std::vector<std::uint64_t> whole_numbers(const std::string& name, const std::string& text) {
  std::vector<std::uint64_t> numbers;
  std::istringstream all(text);
  for (std::string one; std::getline(all, one, ',');) numbers.push_back(whole_number(name, one));
  return numbers;
}

void add_worker(Options& options, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    throw std::invalid_argument("--worker needs NAME=PROGRAM, got '" + text + "'");
  }
  options.workers[text.substr(0, equals)] = text.substr(equals + 1);
}

void set_option(Options& options, const std::string& name, const std::string& value) {
  if (name == "--confine") {
    options.confine = value;
  } else if (name == "--worker") {
    add_worker(options, value);
  } else if (name == "--seed") {
    options.seed = whole_number(name, value);
  } else if (name == "--time-limit") {
    options.time_limit = positive_number(name, value);
  } else if (name == "--memory-limit") {
    options.memory_limit = whole_number(name, value) << 20;
  } else if (name == "--source") {
    options.source = value;
  } else if (name == "--events") {
    options.events = value;
  } else if (name == "--may-read-back") {
    options.may_read_back = whole_number(name, value) != 0;
  } else if (name == "--alignment") {
    options.alignment = whole_number(name, value);
  } else if (name == "--may-turn-inputs") {
    options.may_turn_inputs = whole_number(name, value) != 0;
  } else if (name == "--fail-skipped-barriers") {
    options.fails_skipped_barriers = whole_number(name, value) != 0;
  } else if (name == "--profile") {
    options.profile = whole_number(name, value) != 0;
  } else if (name == "--figures") {
    options.figures = value;
  } else if (name == "--observed") {
    options.observed = value;
  } else if (name == "--constants") {
    options.constants = whole_numbers(name, value);
  } else if (name == "--block-constants") {
    options.block_constants = whole_numbers(name, value);
  } else if (name == "--may-count-narrowly") {
    options.may_count_narrowly = whole_number(name, value) != 0;
  } else if (name == "--sizes-per-draw") {
    options.sizes_per_draw = whole_number(name, value);
  } else if (name == "--picture-size") {
    options.picture_size = whole_number(name, value);
  } else if (name == "--estimated") {
    options.estimated = value;
  } else if (name == "--version") {
    options.version = static_cast<std::uint32_t>(whole_number(name, value));
  } else if (name == "--versions") {
    options.versions = static_cast<std::uint32_t>(whole_number(name, value));
  } else if (name == "--unconfined") {
    options.unconfined = whole_number(name, value) != 0;
  } else if (name == "--unfiltered") {
    options.unfiltered = whole_number(name, value) != 0;
  } else {
    throw std::invalid_argument("unknown option " + name + "; Catch2's options follow a --");
  }
}

}  // namespace

Options parse_options(int argc, char** argv, std::vector<char*>& for_catch) {
  Options options;
  options.seed = secret_seed();
  for_catch.push_back(argv[0]);
  int i = 1;
  for (; i < argc && std::string_view(argv[i]) != "--"; i += 2) {
    if (i + 1 >= argc) throw std::invalid_argument(std::string(argv[i]) + " needs a value");
    set_option(options, argv[i], argv[i + 1]);
  }
  for (++i; i < argc; ++i) for_catch.push_back(argv[i]);
  return options;
}

Options& options() {
  static Options instance;
  return instance;
}

}  // namespace tilelab::judge
