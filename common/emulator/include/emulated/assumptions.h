#pragma once

/// What a program promises the compiler. None of the promises changes what a right program does.

#ifndef __clang__
constexpr void __builtin_assume(bool) {}
#endif

constexpr void __assume(bool) {}
