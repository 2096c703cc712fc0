// What tells g++ from clang.
#undef __GNUC__
#undef __GNUC_MINOR__
#undef __VERSION__
#undef __clang__
#undef __clang_major__
#undef __clang_minor__
#undef __clang_patchlevel__
#undef __clang_version__
#undef __llvm__
#define __GNUC__ 12
#define __GNUC_MINOR__ 2
#define __VERSION__ "12.2.0"
