// launch_rewriter SOURCE [DEVICE] < preprocessed > rewritten
//
// Turns preprocessed CUDA C++ into plain C++. Reads SOURCE, the file before preprocessing, to check
// that its line markers can be trusted. DEVICE is the same file preprocessed for the device, if
// that makes a difference.

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "execution_spaces.h"
#include "files/device_code.h"
#include "files/foreign_headers.h"
#include "files/line_directives.h"
#include "increments.h"
#include "launches/cluster_dims.h"
#include "launches/kernel_entries.h"
#include "launches/launch_calls.h"
#include "launches/launches.h"
#include "spin_loops.h"
#include "text/diagnostics.h"
#include "text/edited_text.h"
#include "text/lexer.h"
#include "variables/constants.h"
#include "variables/shared_variables.h"
#include "words.h"

int main(int argc, char** argv) {
  using namespace tilelab::rewriter;
  using Bytes = std::istreambuf_iterator<char>;
  std::ios::sync_with_stdio(false);
  if (argc != 2 && argc != 3) {
    std::cerr << "usage: launch_rewriter SOURCE [DEVICE] < preprocessed > rewritten\n";
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

  Diagnostics diagnostics;
  refuse_line_directives(source, argv[1], diagnostics);
  refuse_foreign_headers(preprocessed, diagnostics);
  EditedText text(tokenize(preprocessed, argv[1]));
  refuse_wrong_spaces(text, diagnostics);
  add_kernel_entries(text);
  remove_space_words(text);
  rewrite_words(text, diagnostics);
  rewrite_increments(text);
  separate_constants(text);
  rewrite_shared_variables(text, diagnostics);
  rewrite_cluster_dims(text, diagnostics);
  rewrite_spin_loops(text);
  rewrite_launch_calls(text);
  rewrite_launches(text, diagnostics);
  if (diagnostics.has_errors()) return 1;
  text.print(std::cout);
  std::cout.flush();
  return std::cout ? 0 : 2;
}
