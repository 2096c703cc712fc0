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
#define __VERSION__ "Clang 14.0.6"
#define __clang__ 1
#define __clang_major__ 14
#define __clang_minor__ 0
#define __clang_patchlevel__ 6
#define __clang_version__ "14.0.6"
#define __llvm__ 1
#define __has_attribute(x) 1
#define __has_builtin(x) 1
#define __has_cpp_attribute(x) 1
#define __has_extension(x) 1
#define __has_feature(x) 1
