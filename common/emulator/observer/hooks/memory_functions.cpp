// The C library's functions that write memory, as a checked build calls them: the observer checks
// where they write before they do (redirected_symbols).

#include <printf.h>

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "emulator/observer/hooks/record_access.h"

using namespace tilelab::emulator;

namespace {

void reads(const void* pointer, std::size_t bytes, std::uintptr_t place) {
  access_range(reinterpret_cast<std::uintptr_t>(pointer), bytes, AccessKind::load, place);
}

void writes(void* pointer, std::size_t bytes, std::uintptr_t place) {
  access_range(reinterpret_cast<std::uintptr_t>(pointer), bytes, AccessKind::store, place);
}

/// Text that is formatted is read. How much of each string is not known, but not more than comes
/// out.
void reads_strings(const char* format, std::va_list arguments, int length, std::uintptr_t place) {
  constexpr std::size_t most = 64;
  int types[most];
  const std::size_t count = std::min(parse_printf_format(format, most, types), most);
  for (std::size_t i = 0; i < count; ++i) {
    if (types[i] == PA_DOUBLE) {
      static_cast<void>(va_arg(arguments, double));
    } else if (types[i] == (PA_DOUBLE | PA_FLAG_LONG_DOUBLE)) {
      static_cast<void>(va_arg(arguments, long double));
    } else if (const void* value = va_arg(arguments, const void*); types[i] == PA_STRING) {
      reads(value, static_cast<std::size_t>(std::max(length, 0)), place);
    }
  }
}

/// Formats twice, because the length of the text must be known before it is written.
int format_checked(char* to, std::size_t size, const char* format, std::va_list arguments,
                   std::uintptr_t place) {
  std::va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  va_copy(again, arguments);
  reads_strings(format, again, length, place);
  va_end(again);
  if (length >= 0 && size > 0) {
    writes(to, std::min(static_cast<std::size_t>(length) + 1, size), place);
  }
  return std::vsnprintf(to, size, format, arguments);
}

constexpr std::size_t unlimited = static_cast<std::size_t>(-1) / 4;

}  // namespace

extern "C" {

void* tilelab_memcpy(void* to, const void* from, std::size_t bytes) {
  reads(from, bytes, TILELAB_CALLER);
  writes(to, bytes, TILELAB_CALLER);
  return std::memmove(to, from, bytes);
}

void* tilelab_memmove(void* to, const void* from, std::size_t bytes) {
  reads(from, bytes, TILELAB_CALLER);
  writes(to, bytes, TILELAB_CALLER);
  return std::memmove(to, from, bytes);
}

void* tilelab_mempcpy(void* to, const void* from, std::size_t bytes) {
  reads(from, bytes, TILELAB_CALLER);
  writes(to, bytes, TILELAB_CALLER);
  return static_cast<char*>(std::memmove(to, from, bytes)) + bytes;
}

int tilelab_memcmp(const void* a, const void* b, std::size_t bytes) {
  reads(a, bytes, TILELAB_CALLER);
  reads(b, bytes, TILELAB_CALLER);
  return std::memcmp(a, b, bytes);
}

// The forms that _FORTIFY_SOURCE calls have one more argument, which these ignore.
[[gnu::alias("tilelab_memcpy")]] void* tilelab_memcpy_2(void* to, const void* from,
                                                        std::size_t bytes);
[[gnu::alias("tilelab_memmove")]] void* tilelab_memmove_2(void* to, const void* from,
                                                          std::size_t bytes);
[[gnu::alias("tilelab_mempcpy")]] void* tilelab_mempcpy_2(void* to, const void* from,
                                                          std::size_t bytes);
[[gnu::alias("tilelab_memset")]] void* tilelab_memset_2(void* to, int value, std::size_t bytes);

void* tilelab_memset(void* to, int value, std::size_t bytes) {
  writes(to, bytes, TILELAB_CALLER);
  return std::memset(to, value, bytes);
}

void tilelab_bzero(void* to, std::size_t bytes) {
  writes(to, bytes, TILELAB_CALLER);
  std::memset(to, 0, bytes);
}

char* tilelab_strcpy(char* to, const char* from) {
  reads(from, std::strlen(from) + 1, TILELAB_CALLER);
  writes(to, std::strlen(from) + 1, TILELAB_CALLER);
  return std::strcpy(to, from);
}

char* tilelab_strncpy(char* to, const char* from, std::size_t bytes) {
  reads(from, strnlen(from, bytes), TILELAB_CALLER);
  writes(to, bytes, TILELAB_CALLER);
  return std::strncpy(to, from, bytes);
}

char* tilelab_strcat(char* to, const char* from) {
  reads(from, std::strlen(from) + 1, TILELAB_CALLER);
  writes(to + std::strlen(to), std::strlen(from) + 1, TILELAB_CALLER);
  return std::strcat(to, from);
}

char* tilelab_strncat(char* to, const char* from, std::size_t bytes) {
  reads(from, strnlen(from, bytes), TILELAB_CALLER);
  writes(to + std::strlen(to), strnlen(from, bytes) + 1, TILELAB_CALLER);
  return std::strncat(to, from, bytes);
}

char* tilelab_strtok(char* text, const char* separators) {
  if (text != nullptr) writes(text, std::strlen(text), TILELAB_CALLER);
  return std::strtok(text, separators);
}

int tilelab_vsnprintf(char* to, std::size_t size, const char* format, std::va_list arguments) {
  return format_checked(to, size, format, arguments, TILELAB_CALLER);
}

int tilelab_vsprintf(char* to, const char* format, std::va_list arguments) {
  return format_checked(to, unlimited, format, arguments, TILELAB_CALLER);
}

int tilelab_snprintf(char* to, std::size_t size, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const int length = format_checked(to, size, format, arguments, TILELAB_CALLER);
  va_end(arguments);
  return length;
}

int tilelab_sprintf(char* to, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const int length = format_checked(to, unlimited, format, arguments, TILELAB_CALLER);
  va_end(arguments);
  return length;
}

void tilelab_qsort(void* elements, std::size_t count, std::size_t bytes,
                   int (*compare)(const void*, const void*)) {
  writes(elements, count * bytes, TILELAB_CALLER);
  std::qsort(elements, count, bytes, compare);
}

#define TILELAB_STRING_TO_INTEGER(Number, function)                   \
  Number tilelab_##function(const char* text, char** end, int base) { \
    if (end != nullptr) writes(end, sizeof *end, TILELAB_CALLER);     \
    return std::function(text, end, base);                            \
  }
TILELAB_STRING_TO_INTEGER(long, strtol)
TILELAB_STRING_TO_INTEGER(long long, strtoll)
TILELAB_STRING_TO_INTEGER(unsigned long, strtoul)
TILELAB_STRING_TO_INTEGER(unsigned long long, strtoull)

#define TILELAB_STRING_TO_FLOAT(Number, function)                 \
  Number tilelab_##function(const char* text, char** end) {       \
    if (end != nullptr) writes(end, sizeof *end, TILELAB_CALLER); \
    return std::function(text, end);                              \
  }
TILELAB_STRING_TO_FLOAT(float, strtof)
TILELAB_STRING_TO_FLOAT(double, strtod)
TILELAB_STRING_TO_FLOAT(long double, strtold)

#define TILELAB_TWO_RESULTS(Number, suffix)                          \
  Number tilelab_modf##suffix(Number x, Number* whole) {             \
    writes(whole, sizeof *whole, TILELAB_CALLER);                    \
    return std::modf(x, whole);                                      \
  }                                                                  \
  Number tilelab_frexp##suffix(Number x, int* exponent) {            \
    writes(exponent, sizeof *exponent, TILELAB_CALLER);              \
    return std::frexp(x, exponent);                                  \
  }                                                                  \
  Number tilelab_remquo##suffix(Number x, Number y, int* quotient) { \
    writes(quotient, sizeof *quotient, TILELAB_CALLER);              \
    return std::remquo(x, y, quotient);                              \
  }
TILELAB_TWO_RESULTS(double, )
TILELAB_TWO_RESULTS(float, f)
TILELAB_TWO_RESULTS(long double, l)

#define TILELAB_SINE_AND_COSINE(Number, suffix)                         \
  void tilelab_sincos##suffix(Number x, Number* sine, Number* cosine) { \
    writes(sine, sizeof *sine, TILELAB_CALLER);                         \
    writes(cosine, sizeof *cosine, TILELAB_CALLER);                     \
    *sine = std::sin(x);                                                \
    *cosine = std::cos(x);                                              \
  }
TILELAB_SINE_AND_COSINE(double, )
TILELAB_SINE_AND_COSINE(float, f)

[[gnu::alias("tilelab_sincosf")]] void tilelab_sincosf_2(float x, float* sine, float* cosine);

// glibc 2.38 and later have a second name for these.
[[gnu::alias("tilelab_strtol")]] long tilelab_strtol_2(const char* text, char** end, int base);
[[gnu::alias("tilelab_strtoll")]] long long tilelab_strtoll_2(const char* text, char** end,
                                                              int base);
[[gnu::alias("tilelab_strtoul")]] unsigned long tilelab_strtoul_2(const char* text, char** end,
                                                                  int base);
[[gnu::alias("tilelab_strtoull")]] unsigned long long tilelab_strtoull_2(const char* text,
                                                                         char** end, int base);

}  // extern "C"
