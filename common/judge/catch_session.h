#pragma once

namespace tilelab {

/// Runs the Catch2 tests of this program and returns its exit status. It has a file of its own so
/// that Catch2 itself is compiled once for all our programs.
int run_catch(int argc, char** argv);

}  // namespace tilelab
