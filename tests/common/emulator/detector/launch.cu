// Launches of a kernel that is not named: through variables, tables, calls and templates.

#include "cases.h"

namespace {

using tilelab::detector::finish;

constexpr int block = 32;

__global__ void ones(int* out) { out[threadIdx.x] = 1; }
__global__ void twos(int* out) { out[threadIdx.x] = 2; }
template <class T>
__global__ void fill(T* out, T value) {
  out[threadIdx.x] = value;
}

using Kernel = void (*)(int*);

// The samples that measure several kernels launch each of them through a variable.
namespace launch_through_a_variable {
void run() {
  const Array<int> out(block);
  Kernel kernel = ones;
  kernel<<<1, block>>>(out);
  kernel = twos;
  (*kernel)<<<1, block>>>(out);
  finish();
}
}  // namespace launch_through_a_variable
DETECTOR_CASE(launch_through_a_variable, none);

namespace launch_through_a_table {
struct Version {
  const char* name;
  Kernel kernel;
};
void run() {
  const Array<int> out(block);
  const Version versions[] = {{"ones", ones}, {"twos", twos}};
  for (int i = 0; i < 2;) versions[i++].kernel<<<1, block>>>(out);
  for (const Version& each : versions) each.kernel<<<dim3(1), dim3(block)>>>(out);
  const Version* last = versions + 1;
  last->kernel<<<1, block>>>(out);
  finish();
}
}  // namespace launch_through_a_table
DETECTOR_CASE(launch_through_a_table, none);

namespace launch_of_what_a_call_returns {
Kernel chosen(bool first) { return first ? ones : twos; }
void run() {
  const Array<int> out(block);
  const int number = 1;
  chosen(number == 1)<<<1, block>>>(out);
  (number == 1 ? ones : twos)<<<1, block>>>(out);
  finish();
}
}  // namespace launch_of_what_a_call_returns
DETECTOR_CASE(launch_of_what_a_call_returns, none);

// A function that measures any kernel gets it as a parameter, of the call or of the template.
namespace launch_through_a_parameter {
template <class Any, class... Arguments>
void launch(Any kernel, Arguments... arguments) {
  kernel<<<1, block>>>(arguments...);
}
template <void (*kernel)(int*)>
void launch_fixed(int* out) {
  kernel<<<1, block>>>(out);
}
void run() {
  const Array<int> out(block);
  int* const data = out;
  launch(ones, data);
  launch(fill<int>, data, 3);
  launch_fixed<twos>(data);
  const auto in_a_lambda = [&](auto kernel) { kernel<<<1, block>>>(data); };
  in_a_lambda(ones);
  finish();
}
}  // namespace launch_through_a_parameter
DETECTOR_CASE(launch_through_a_parameter, none);

// The kernel that the variable names is wrong.
namespace wrong_kernel_through_a_variable {
__global__ void shifted(int* out) { out[threadIdx.x + 1] = 1; }  // A
void run() {
  const Array<int> out(block);
  const Kernel kernel = shifted;
  kernel<<<1, block>>>(out);
  finish();
}
}  // namespace wrong_kernel_through_a_variable
DETECTOR_CASE(wrong_kernel_through_a_variable, out_of_bounds);

}  // namespace
