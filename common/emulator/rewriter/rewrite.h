#pragma once

#include <ostream>
#include <string>
#include <string_view>

namespace tilelab::rewriter {

/// Turns preprocessed CUDA C++ into plain C++.
/// @param source        the file before preprocessing, which says if line markers can be trusted
/// @param name          its name in those markers
/// @param preprocessed  the text, for the host, and with the device's functions where they differ
/// @param is_program    whether it is of a program of its own: there lambdas may be for the device,
///                      as with nvcc's --extended-lambda, and kernels may be nodes of graphs
/// @return whether there were no errors; they are printed to std::cerr
bool rewrite(std::string_view source, std::string_view name, const std::string& preprocessed,
             bool is_program, std::ostream& out);

}  // namespace tilelab::rewriter
