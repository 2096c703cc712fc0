// launch_rewriter [--program] SOURCE [DEVICE] < preprocessed > rewritten
//
// Turns preprocessed CUDA C++ into plain C++. Reads SOURCE, the file before preprocessing, to check
// that its line markers can be trusted. DEVICE is the same file preprocessed for the device, if
// that makes a difference. With --program, SOURCE is of a program of its own, not a submission.

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

#include "files/device_code.h"
#include "rewrite.h"

int main(int argc, char** argv) {
  using namespace tilelab::rewriter;
  using Bytes = std::istreambuf_iterator<char>;
  std::ios::sync_with_stdio(false);
  const bool is_program = argc > 1 && argv[1] == std::string_view("--program");
  if (is_program) {
    --argc;
    ++argv;
  }
  if (argc != 2 && argc != 3) {
    std::cerr << "usage: launch_rewriter [--program] SOURCE [DEVICE] < preprocessed > rewritten\n";
    return 2;
  }
  std::string files[2];  // SOURCE and DEVICE
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    if (!file) {
      std::cerr << "launch_rewriter: cannot read " << argv[i] << '\n';
      return 2;
    }
    files[i - 1].assign(Bytes(file), Bytes());
  }
  const auto& [source, device] = files;
  std::string preprocessed{Bytes(std::cin), Bytes()};
  if (argc == 3) preprocessed = with_device_code(preprocessed, device, argv[1]);
  if (!rewrite(source, argv[1], preprocessed, is_program, std::cout)) return 1;
  std::cout.flush();
  return std::cout ? 0 : 2;
}
