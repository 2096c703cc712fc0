// printf() and its relatives, as a checked build calls them: without %n, which writes to an address
// that the observer does not see (redirected_symbols).

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

bool stores_count(const char* format) {
  for (const char* at = format; (at = std::strchr(at, '%')) != nullptr; ++at) {
    // Flags, widths, numbers of arguments and sizes come before the letter of a conversion.
    at += 1 + std::strspn(at + 1, " #+-'I0123456789.*$hlqjztL");
    if (*at == 'n') return true;
    if (*at == '\0') return false;
  }
  return false;
}

int print(std::FILE* file, const char* format, std::va_list arguments) {
  if (stores_count(format)) {
    std::fputs("printf() with %n is not supported.\n", stderr);
    std::abort();
  }
  return std::vfprintf(file, format, arguments);
}

}  // namespace

extern "C" {

int tilelab_vfprintf(std::FILE* file, const char* format, std::va_list arguments) {
  return print(file, format, arguments);
}

int tilelab_vprintf(const char* format, std::va_list arguments) {
  return print(stdout, format, arguments);
}

int tilelab_fprintf(std::FILE* file, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const int length = print(file, format, arguments);
  va_end(arguments);
  return length;
}

int tilelab_printf(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const int length = print(stdout, format, arguments);
  va_end(arguments);
  return length;
}

}  // extern "C"
