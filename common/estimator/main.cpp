// Estimates how long launches take on a GPU, from their kernels' machine code.
//
//     estimator CODE JOB
//
// CODE is what `nvdisasm -c -hex` prints. JOB says what the GPU is and what it runs, and the output
// how long that takes or, if the job says what blocks stored elsewhere, whether they store the same
// here: schema/estimate.h describes both. Exit status: 0, 1 if a kernel does
// something that the estimate does not know and the job has no images, 2 if a file is wrong.

#include <algorithm>
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>

#include "estimator/code/disassembly.h"
#include "estimator/estimate/comparison.h"
#include "estimator/estimate/estimate.h"
#include "estimator/execution/unknown.h"
#include "estimator/stream/job.h"
#include "estimator/stream/record.h"
#include "schema/json.h"

namespace {

using namespace tilelab::estimator;

/// Reads a file with a function. Throws Unknown, or std::runtime_error with the file's name.
template <class F>
auto read(const char* path, F&& reader) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(std::string(path) + ": cannot be read");
  try {
    return reader(file);
  } catch (const Unknown&) {
    throw;
  } catch (const std::exception& error) {
    throw std::runtime_error(std::string(path) + ": " + error.what());
  }
}

const Function& function_named(const std::string& name, const std::vector<Function>& functions) {
  const auto found = std::ranges::find(functions, name, &Function::name);
  if (found == functions.end()) throw Unknown("there is no machine code of the kernel " + name);
  return *found;
}

template <class Event>
void print(const Event& event) {
  std::cout << to_json(event) << std::endl;
}

const Kernel& kernel_named(const std::string& name, const Job& job) {
  const auto found = job.kernels.find(name);
  if (found == job.kernels.end()) {
    throw Unknown("the resources of the kernel " + name + " are not known");
  }
  return found->second;
}

void print_estimates(const std::vector<Function>& functions, const Job& job) {
  Estimator estimator(job.gpu, job.arrays);
  for (std::size_t i = 0; i < job.launches.size(); ++i) {
    const Launch& launch = job.launches[i];
    for (const Change& it : job.stored_by_host[i]) estimator.store(it);
    print(record_of(estimator.next(function_named(launch.kernel, functions), launch,
                                   kernel_named(launch.kernel, job))));
  }
}

/// Each launch of a program that ran gets an answer of its own.
void print_estimates_of_program(const std::vector<Function>& functions, Job& job) {
  Estimator estimator(job.gpu, {});
  for (std::size_t i = 0; i < job.launches.size(); ++i) {
    const Launch& launch = job.launches[i];
    estimator.set_memory(std::move(job.memories[i]));
    try {
      print(record_of(estimator.next(function_named(launch.kernel, functions), launch,
                                     kernel_named(launch.kernel, job))));
    } catch (const Unknown& what) {
      print(tilelab::schema::Unknown{what.what()});
    }
  }
}

void print_comparisons(const std::vector<Function>& functions, const Job& job) {
  Memory memory(job.arrays);
  memory.set_constants(job.constants);
  for (std::size_t i = 0; i < job.trials.size(); ++i) {
    const Launch& launch = job.launches[i];
    for (const Change& it : job.stored_by_host[i]) store(memory, it);
    const Work work{function_named(launch.kernel, functions), launch,
                    kernel_named(launch.kernel, job), memory};
    const Comparison made = compare(work, job.trials[i]);
    print(tilelab::schema::Compared{launch.kernel, made.words, made.equal});
  }
}

void print_answers(const std::vector<Function>& functions, Job job) {
  if (!job.memories.empty()) return print_estimates_of_program(functions, job);
  if (job.trials.empty()) return print_estimates(functions, job);
  print_comparisons(functions, job);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: estimator CODE JOB\n";
    return 2;
  }
  try {
    print(tilelab::schema::Begin{});
    print_answers(read(argv[1], read_disassembly), read(argv[2], read_job));
  } catch (const Unknown& what) {
    print(tilelab::schema::Unknown{what.what()});
    return 1;
  } catch (const std::exception& error) {
    std::cerr << "estimator: " << error.what() << '\n';
    return 2;
  }
}
