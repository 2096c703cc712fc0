#pragma once

namespace tilelab {

/// Runs the Catch2 tests of this program; returns its exit status. Apart from catch.h, so that
/// Catch2 itself is compiled once for all our programs.
int run_catch(int argc, char** argv);

}  // namespace tilelab
