#include "emulator/runtime/errors/errors.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

#include "emulator/emulator.h"
#include "emulator/runtime/callers.h"

namespace tilelab::emulator {
namespace {

cudaError_t last = cudaSuccess;
cudaError_t sticky = cudaSuccess;
char sentence[2048] = "";
char next_explanation[512] = "";
char explanation[512] = "";  // of the last error
void (*fatal_handler)(const char*) = nullptr;
std::array<std::uint64_t, FailedCall::most_callers> callers{};  // of what the sentence is about

/// Where host code was that did what the explanations tell of.
struct Explained {
  std::vector<std::uint64_t> next;
  std::vector<std::uint64_t> last;
};
Explained& explained_callers() {
  static auto* const callers = new Explained;
  return *callers;
}

using UncheckedErrors = std::vector<UncheckedError>;

UncheckedErrors& unchecked() {
  static auto* const errors = new UncheckedErrors;  // host code may fail when the program ends
  return *errors;
}

/// What was unchecked before the program asked for the last error, until another call fails.
std::optional<UncheckedErrors>& unchecked_before() {
  static auto* const errors = new std::optional<UncheckedErrors>;
  return *errors;
}

/// The program asks for the last error. What it does with the answer turns out later.
cudaError_t ask_for_last() {
  if (last != cudaSuccess) unchecked_before() = std::exchange(unchecked(), {});
  return last;
}

}  // namespace

cudaError_t record_error(cudaError_t error) {
  if (error == cudaSuccess) return error;
  last = error;
  unchecked_before().reset();
  if (sticky == cudaSuccess) note_callers(callers);
  std::strcpy(explanation, next_explanation);
  next_explanation[0] = '\0';
  explained_callers().last = std::exchange(explained_callers().next, {});
  return error;
}

cudaError_t explained(cudaError_t error, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(next_explanation, sizeof next_explanation, format, arguments);
  va_end(arguments);
  return error;
}

void explanation_is_of(const std::vector<std::uint64_t>& callers) {
  explained_callers().next = callers;
}

bool is_last_error_known() { return last == cudaSuccess || unchecked_before().has_value(); }

cudaError_t sticky_error() { return sticky; }

void note_unchecked(cudaError_t error, Site site) {
  if (sticky != cudaSuccess) return;
  if (unchecked_before()) {
    // The call itself asked for the last error, and nobody looks at its answer.
    unchecked() = *std::exchange(unchecked_before(), std::nullopt);
    return;
  }
  constexpr std::size_t most_errors = 8;
  const bool is_known =
      std::any_of(unchecked().begin(), unchecked().end(), [&](const UncheckedError& one) {
        return one.error == error && one.site.line == site.line &&
               std::strcmp(one.site.file, site.file) == 0;
      });
  if (is_known || unchecked().size() >= most_errors) return;
  unchecked().push_back({error, site, explanation, explained_callers().last});
}

const std::vector<UncheckedError>& unchecked_errors() { return unchecked(); }

void clear_errors() {
  unchecked() = {};
  unchecked_before().reset();
  last = cudaSuccess;
  sticky = cudaSuccess;
  sentence[0] = '\0';
  explanation[0] = '\0';
  callers = {};
}

void set_fault(cudaError_t error, const char* format, ...) {
  if (sticky != cudaSuccess) return;
  sticky = error;
  note_callers(callers);
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
}

void fatal(const char* format, ...) {
  note_callers(callers);
  static char text[2048];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (fatal_handler != nullptr) fatal_handler(text);
  std::strncat(text, "\n", sizeof text - std::strlen(text) - 1);
  static_cast<void>(!write(STDERR_FILENO, text, std::strlen(text)));
  std::abort();
}

std::span<const std::uint64_t> fault_callers() { return callers; }

const char* fault_message() { return sticky != cudaSuccess ? sentence : explanation; }

void set_fatal_handler(void (*handler)(const char*)) { fatal_handler = handler; }

}  // namespace tilelab::emulator

using namespace tilelab::emulator;

extern "C" {

cudaError_t cudaGetLastError() {
  if (sticky != cudaSuccess) return sticky;
  const cudaError_t error = ask_for_last();
  last = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() { return sticky != cudaSuccess ? sticky : ask_for_last(); }

}  // extern "C"
