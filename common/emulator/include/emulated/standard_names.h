#pragma once

/// The standard library under the name that device code has for it. The compiler's own library is
/// used: all of it runs on the CPU.

namespace std {}
namespace cuda::std {
using namespace ::std;
}  // namespace cuda::std
