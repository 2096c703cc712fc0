// Host memory that kernels may use, because it was mapped, and host memory that they may not.

#include <algorithm>
#include <new>

#include "cases.h"

namespace {

using tilelab::detector::finish;

constexpr int block = 64;
constexpr std::size_t bytes = block * sizeof(int);

// The kernel works on pinned memory through the device's pointer to it.
namespace mapped_host_memory {
__global__ void kernel(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] + 1; }
void run() {
  int *in = nullptr, *out = nullptr;
  cudaHostAlloc(reinterpret_cast<void**>(&in), bytes, cudaHostAllocMapped);
  cudaHostAlloc(reinterpret_cast<void**>(&out), bytes, cudaHostAllocMapped);
  for (int i = 0; i < block; ++i) in[i] = i;
  int *device_in = nullptr, *device_out = nullptr;
  cudaHostGetDevicePointer(reinterpret_cast<void**>(&device_in), in, 0);
  cudaHostGetDevicePointer(reinterpret_cast<void**>(&device_out), out, 0);
  kernel<<<1, block>>>(device_in, device_out);
  cudaDeviceSynchronize();
  int sum = 0;
  for (int i = 0; i < block; ++i) sum += out[i];
  in[0] = sum;
  kernel<<<1, block>>>(device_in, device_out);
  finish();
  cudaFreeHost(in);
  cudaFreeHost(out);
}
}  // namespace mapped_host_memory
DETECTOR_CASE(mapped_host_memory, none);

// With one address space for host and device, the host's pointer is the device's.
namespace pinned_host_memory {
__global__ void kernel(int* data) { data[threadIdx.x] += 1; }
void run() {
  int* data = nullptr;
  cudaMallocHost(reinterpret_cast<void**>(&data), bytes);
  for (int i = 0; i < block; ++i) data[i] = i;
  kernel<<<1, block>>>(data);
  finish();
  cudaFreeHost(data);
}
}  // namespace pinned_host_memory
DETECTOR_CASE(pinned_host_memory, none);

// Memory that the program allocated itself is pinned and mapped afterwards.
namespace registered_host_memory {
__global__ void kernel(int* data) { data[threadIdx.x] += 1; }
void run() {
  std::vector<int> values(block, 1);
  cudaHostRegister(values.data(), bytes, cudaHostRegisterMapped);
  int* data = nullptr;
  cudaHostGetDevicePointer(reinterpret_cast<void**>(&data), values.data(), 0);
  kernel<<<1, block>>>(data);
  finish();
  cudaHostUnregister(values.data());
}
}  // namespace registered_host_memory
DETECTOR_CASE(registered_host_memory, none);

// One element past the end of the mapped memory.
namespace past_the_end_of_mapped_memory {
__global__ void kernel(int* data) { data[threadIdx.x + 1] = 1; }  // A
void run() {
  int* data = nullptr;
  cudaHostAlloc(reinterpret_cast<void**>(&data), bytes, cudaHostAllocMapped);
  kernel<<<1, block>>>(data);
  finish();
  cudaFreeHost(data);
}
}  // namespace past_the_end_of_mapped_memory
DETECTOR_CASE(past_the_end_of_mapped_memory, out_of_bounds);

// All threads store to one element of mapped memory.
namespace race_in_mapped_memory {
__global__ void kernel(int* data) { data[0] = threadIdx.x; }  // A B
void run() {
  int* data = nullptr;
  cudaHostAlloc(reinterpret_cast<void**>(&data), bytes, cudaHostAllocMapped);
  kernel<<<1, block>>>(data);
  finish();
  cudaFreeHost(data);
}
}  // namespace race_in_mapped_memory
DETECTOR_CASE(race_in_mapped_memory, global_race);

// The memory was unpinned before the launch.
namespace host_memory_after_free {
__global__ void kernel(int* data) { data[threadIdx.x] = 1; }  // A
void run() {
  int* data = nullptr;
  cudaHostAlloc(reinterpret_cast<void**>(&data), bytes, cudaHostAllocMapped);
  cudaFreeHost(data);
  kernel<<<1, block>>>(data);
  finish();
}
}  // namespace host_memory_after_free
DETECTOR_CASE(host_memory_after_free, out_of_bounds);

// Memory that nobody pinned.
namespace pageable_host_memory {
__global__ void kernel(int* data) { data[threadIdx.x] += 1; }  // A
void run() {
  std::vector<int> values(block, 1);
  kernel<<<1, block>>>(values.data());
  finish();
}
}  // namespace pageable_host_memory
DETECTOR_CASE(pageable_host_memory, out_of_bounds);

// Local variables of the host, next to which it keeps what a launch passes on.
namespace local_array_of_the_host {
__global__ void kernel(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x];  // A
}
void run() {
  int values[block] = {};
  const Array<int> out(block);
  kernel<<<1, block>>>(values, out);
  finish();
}
}  // namespace local_array_of_the_host
DETECTOR_CASE(local_array_of_the_host, out_of_bounds);

namespace local_variable_of_the_host_behind_a_pointer {
struct Node {
  int value;
  const Node* next;
};
template <class T>
__global__ void kernel(const T* node, int* out) {
  for (; node != nullptr; node = node->next) {
    *out += node->value;  // A
  }
}
void run() {
  std::vector<Node> nodes(1);
  const Node last{5, nullptr};
  nodes[0].next = &last;
  const Array<Node> list(nodes);
  const Array<int> out(1, 0);
  kernel<<<1, 1>>>(static_cast<const Node*>(list), static_cast<int*>(out));
  finish();
}
}  // namespace local_variable_of_the_host_behind_a_pointer
DETECTOR_CASE(local_variable_of_the_host_behind_a_pointer, out_of_bounds);

// A variable of the host, which is as much in host memory as what it allocates.
namespace variable_of_the_host {
int values[block];
__global__ void kernel(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }  // A
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(values, out);
  finish();
}
}  // namespace variable_of_the_host
DETECTOR_CASE(variable_of_the_host, out_of_bounds);

// In host code, the name of a variable of the device has another address.
namespace address_of_a_constant {
__constant__ int values[block];
__global__ void kernel(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }  // A
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(values, out);
  finish();
}
}  // namespace address_of_a_constant
DETECTOR_CASE(address_of_a_constant, out_of_bounds);

namespace address_of_a_device_variable {
__device__ int values[block];
__global__ void kernel(int* out) { out[threadIdx.x] = threadIdx.x; }  // A
void run() {
  kernel<<<1, block>>>(values);
  finish();
}
}  // namespace address_of_a_device_variable
DETECTOR_CASE(address_of_a_device_variable, out_of_bounds);

// The program asked for the address of the variable in between only. Compilers place variables in
// the order of their definitions or in reverse.
namespace variable_above_one_whose_address_was_told {
__device__ int one[block], between[block], another[block];
__global__ void kernel(int* out) { out[threadIdx.x] = threadIdx.x; }  // A
void run() {
  void* told = nullptr;
  cudaGetSymbolAddress(&told, between);
  kernel<<<1, block>>>(static_cast<int*>(told));
  kernel<<<1, block>>>(std::max<int*>(one, another));
  finish();
}
}  // namespace variable_above_one_whose_address_was_told
DETECTOR_CASE(variable_above_one_whose_address_was_told, out_of_bounds);

// The kernel may read the variable in between. Its end may be where another variable begins, so the
// other address is not the first of one.
namespace variable_below_one_whose_address_was_told {
__device__ int one[block + 1], between[block], another[block + 1];
__global__ void kernel(const int* in, int* out) {
  const int value = in[threadIdx.x];
  out[threadIdx.x] = value;  // A
}
void run() {
  void* told = nullptr;
  cudaGetSymbolAddress(&told, between);
  kernel<<<1, block>>>(static_cast<int*>(told), std::min<int*>(one, another) + 1);
  finish();
}
}  // namespace variable_below_one_whose_address_was_told
DETECTOR_CASE(variable_below_one_whose_address_was_told, out_of_bounds);

// Where the variable in between ends, no other one begins. The kernel gets the address of the one
// after it.
namespace variable_behind_one_whose_address_was_told {
__device__ int one[block], between[block], another[block];
__global__ void kernel(const int* in, int* out) {
  const int value = in[threadIdx.x];
  out[threadIdx.x] = value;  // A
}
void run() {
  void* told = nullptr;
  cudaGetSymbolAddress(&told, between);
  kernel<<<1, block>>>(static_cast<int*>(told), std::max<int*>(one, another));
  finish();
}
}  // namespace variable_behind_one_whose_address_was_told
DETECTOR_CASE(variable_behind_one_whose_address_was_told, out_of_bounds);

namespace constant_behind_one_whose_address_was_told {
__constant__ int one[block], between[block], another[block];
__global__ void kernel(const int* in, const int* more, int* out) {
  out[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = more[threadIdx.x];  // A
}
void run() {
  const Array<int> out(block);
  void* told = nullptr;
  cudaGetSymbolAddress(&told, between);
  kernel<<<1, block>>>(static_cast<int*>(told), std::max<const int*>(one, another), out);
  finish();
}
}  // namespace constant_behind_one_whose_address_was_told
DETECTOR_CASE(constant_behind_one_whose_address_was_told, out_of_bounds);

// CUDA tells the address that the device knows, and managed variables have one for both.
namespace variables_with_addresses_for_the_device {
__constant__ int constants[block];
__device__ int variables[block];
__device__ __managed__ int managed[block], total;
__global__ void kernel(const int* in, const int* more, const int* managed, int* sum, int* out) {
  out[threadIdx.x] = in[threadIdx.x] + more[threadIdx.x] + managed[threadIdx.x];
  if (threadIdx.x == 0) *sum = out[0];
}
void run() {
  const Array<int> out(block);
  void *in = nullptr, *more = nullptr;
  cudaGetSymbolAddress(&in, constants);
  cudaGetSymbolAddress(&more, variables);
  kernel<<<1, block>>>(static_cast<int*>(in), static_cast<int*>(more), managed, &total, out);
  finish();
}
}  // namespace variables_with_addresses_for_the_device
DETECTOR_CASE(variables_with_addresses_for_the_device, none);

// Parts of a large variable whose address CUDA told. Where it ends, another one may begin.
namespace parts_of_a_variable_whose_address_was_told {
constexpr int count = 1 << 19;
__device__ int one[block], large[count], another[block];
__global__ void kernel(int* begin, const int* end) {
  one[threadIdx.x] += threadIdx.x;
  another[threadIdx.x] += one[threadIdx.x];
  if (begin + threadIdx.x < end) begin[threadIdx.x] = another[threadIdx.x];
}
void run() {
  void* told = nullptr;
  cudaGetSymbolAddress(&told, large[0]);
  int* const begin = static_cast<int*>(told);
  int* const end = begin + count;
  kernel<<<1, block>>>(begin, end);
  kernel<<<1, block>>>(begin + count / 2, end);
  kernel<<<1, block>>>(end - 1, end);
  finish();
}
}  // namespace parts_of_a_variable_whose_address_was_told
DETECTOR_CASE(parts_of_a_variable_whose_address_was_told, none);

// Kernels use variables by their names, whatever else they get.
namespace names_of_variables {
__constant__ int constants[block];
__device__ int variables[block];
__global__ void kernel(const int*, int* out) {
  variables[threadIdx.x] = constants[threadIdx.x];
  out[threadIdx.x] = variables[threadIdx.x];
}
void run() {
  const Array<int> out(block);
  kernel<<<1, block>>>(nullptr, out);
  finish();
}
}  // namespace names_of_variables
DETECTOR_CASE(names_of_variables, none);

struct Shape {
  __host__ __device__ virtual int area() const { return 1; }
  __host__ __device__ virtual ~Shape() {}
};
struct Square : Shape {
  int side;
  __host__ __device__ explicit Square(int length) : side(length) {}
  __host__ __device__ int area() const override { return side * side; }
};

// The object's pointer to its functions comes from the host.
namespace virtual_function_of_a_copied_object {
__global__ void kernel(const Shape* shape, int* out) {
  *out = shape->area();  // A
}
void run() {
  const Array<Square> squares(std::vector<Square>{Square(5)});
  const Array<int> out(1);
  kernel<<<1, 1>>>(squares, out);
  finish();
}
}  // namespace virtual_function_of_a_copied_object
DETECTOR_CASE(virtual_function_of_a_copied_object, host_object);

// The second object of an array, by way of another array.
namespace virtual_function_of_an_object_copied_twice {
__global__ void kernel(const Square* squares, int* out) {
  const Shape* const shape = squares + 1;
  *out = shape->area();  // A
}
void run() {
  const Array<Square> squares(std::vector<Square>{Square(5), Square(6)});
  const Array<Square> same(2);
  cudaMemcpy(same, squares, 2 * sizeof(Square), cudaMemcpyDeviceToDevice);
  const Array<int> out(1);
  kernel<<<1, 1>>>(same, out);
  finish();
}
}  // namespace virtual_function_of_an_object_copied_twice
DETECTOR_CASE(virtual_function_of_an_object_copied_twice, host_object);

// Only the members of the copied object are used.
namespace members_of_a_copied_object {
__global__ void kernel(const Square* square, int* out) {
  *out = square->side + square->Square::area();
}
void run() {
  const Array<Square> squares(std::vector<Square>{Square(5)});
  const Array<int> out(1);
  kernel<<<1, 1>>>(squares, out);
  finish();
}
}  // namespace members_of_a_copied_object
DETECTOR_CASE(members_of_a_copied_object, none);

// A kernel makes the object where a copied one was.
namespace virtual_function_of_an_object_made_by_a_kernel {
__global__ void make(Square* square) { new (square) Square(7); }
__global__ void kernel(const Shape* shape, int* out) { *out = shape->area(); }
void run() {
  const Array<Square> squares(std::vector<Square>{Square(5)});
  const Array<Square> same(1);
  const Array<int> out(1);
  make<<<1, 1>>>(squares);
  cudaMemcpy(same, squares, sizeof(Square), cudaMemcpyDeviceToDevice);
  kernel<<<1, 1>>>(same, out);
  finish();
}
}  // namespace virtual_function_of_an_object_made_by_a_kernel
DETECTOR_CASE(virtual_function_of_an_object_made_by_a_kernel, none);

}  // namespace
