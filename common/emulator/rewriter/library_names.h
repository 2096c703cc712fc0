#pragma once

#include <string_view>

/// What the rules for host and device code know of libraries, whose headers do not say where a
/// function runs.
namespace tilelab::rewriter::library {

/// How CUDA's functions begin that only device code may call.
inline constexpr std::string_view device_prefixes[] = {"__syncthreads", "__syncwarp", "__shfl",
                                                       "__match_",      "__reduce_",  "atomic"};

/// Names that begin like those, but stand for classes and functions for both.
inline constexpr std::string_view names_for_both[] = {"atomic", "atomic_ref", "atomic_thread_fence",
                                                      "atomic_signal_fence"};

/// Others that only device code may call.
inline constexpr std::string_view device_functions[] = {"__all_sync",
                                                        "__any_sync",
                                                        "__ballot_sync",
                                                        "__activemask",
                                                        "__threadfence",
                                                        "__threadfence_block",
                                                        "__threadfence_system",
                                                        "__ldg",
                                                        "__ldca",
                                                        "__ldcg",
                                                        "__ldcs",
                                                        "__ldcv",
                                                        "__ldlu",
                                                        "__stcg",
                                                        "__stcs",
                                                        "__stwb",
                                                        "__stwt"};

/// The headers whose functions host and device code may call, by a part of their paths.
inline constexpr std::string_view headers_for_both[] = {
    "/emulated/", "/mathcalls", "/std_abs.h", "/cmath", "/cstdlib", "/vector_functions.h"};

/// Members that classes of the emulator's and the system's headers have as well.
inline constexpr std::string_view common_members[] = {"size", "sync", "begin",
                                                      "end",  "data", "wait"};

/// The C library's functions that device code may not call, of those that a submission may use.
inline constexpr std::string_view host_functions[] = {
    "rand",    "srand",   "qsort",   "bsearch",  "calloc", "realloc", "puts",
    "putchar", "fprintf", "sprintf", "snprintf", "strlen", "memmove"};

/// The C++ library's functions that are declared for the host only.
inline constexpr std::string_view standard_host_functions[] = {
    "min",           "max",         "minmax",
    "clamp",         "swap",        "exchange",
    "sort",          "fill",        "fill_n",
    "copy",          "copy_n",      "transform",
    "accumulate",    "reduce",      "iota",
    "gcd",           "lcm",         "midpoint",
    "min_element",   "max_element", "adjacent_difference",
    "inner_product", "partial_sum", "reverse",
    "rotate",        "find",        "count",
    "size",          "bit_cast",    "popcount"};

}  // namespace tilelab::rewriter::library
