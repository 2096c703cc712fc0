// What tells clang from g++. What only g++ defines is undefined in the bare environment.
#undef __GNUC__
#undef __GNUC_MINOR__
#undef __GNUC_PATCHLEVEL__
#undef __GXX_ABI_VERSION
#undef __VERSION__
#define __GNUC__ 4
#define __GNUC_MINOR__ 2
#define __GNUC_PATCHLEVEL__ 1
#define __GXX_ABI_VERSION 1002
#define __clang__ 1
#define __llvm__ 1
#define __has_attribute(x) 1
#define __has_builtin(x) 1
#define __has_cpp_attribute(x) 1
#define __has_extension(x) 1
#define __has_feature(x) 1
// These differ between installations, so nobody may ask for them.
#pragma GCC poison __clang_major__ __clang_minor__ __clang_patchlevel__ __clang_version__
