// The kernels in OpenCL: its own words are the file with the kernels and a part of the platform's
// name. emulator_speed.py compiles this where OpenCL is installed.

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "problem.h"

namespace {

void must(cl_int status, const char* what) {
  if (status == CL_SUCCESS) return;
  std::fprintf(stderr, "%s: error %d\n", what, status);
  std::exit(1);
}

cl_platform_id platform_named(const char* part) {
  std::array<cl_platform_id, 16> platforms{};
  cl_uint count = 0;
  must(clGetPlatformIDs(platforms.size(), platforms.data(), &count), "clGetPlatformIDs");
  for (cl_uint i = 0; i < count; ++i) {
    char name[256] = "";
    must(clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, nullptr), "name");
    if (std::strstr(name, part) != nullptr) return platforms[i];
  }
  std::fprintf(stderr, "there is no OpenCL platform named %s\n", part);
  std::exit(1);
}

struct Shape {
  int n;
  cl_uint dimensions;
  std::array<std::size_t, 2> threads;
  std::array<std::size_t, 2> block;
};

Shape shape_of(const std::string& name) {
  if (name == "matmul") return {matmul_n, 2, {matmul_n, matmul_n}, {16, 16}};
  if (name == "nearest") return {nearest_n, 1, {nearest_n, 1}, {128, 1}};
  if (name == "reduction") return {reduction_n, 1, {reduction_n / 2, 1}, {256, 1}};
  return {transpose_n, 2, {transpose_n, transpose_n / 4}, {32, 8}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  Problem problem = make_problem(argv[1]);
  const Shape shape = shape_of(problem.name);
  cl_device_id device = nullptr;
  must(clGetDeviceIDs(platform_named(argv[4]), CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "device");
  cl_int status = 0;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  must(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  must(status, "clCreateCommandQueue");
  std::ifstream file(argv[3]);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const char* source = text.c_str();
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &status);
  must(status, "clCreateProgramWithSource");
  must(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, problem.name.c_str(), &status);
  must(status, "clCreateKernel");
  cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, problem.in.size(),
                             problem.in.data(), &status);
  must(status, "clCreateBuffer");
  cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, problem.out_bytes, nullptr, &status);
  must(status, "clCreateBuffer");
  must(clSetKernelArg(kernel, 0, sizeof in, &in), "in");
  must(clSetKernelArg(kernel, 1, sizeof out, &out), "out");
  must(clSetKernelArg(kernel, 2, sizeof shape.n, &shape.n), "n");
  const double seconds = time_launch(std::atof(argv[2]), [&] {
    must(clEnqueueNDRangeKernel(queue, kernel, shape.dimensions, nullptr, shape.threads.data(),
                                shape.block.data(), 0, nullptr, nullptr),
         "clEnqueueNDRangeKernel");
    must(clFinish(queue), "clFinish");
  });
  Bytes result(problem.out_bytes);
  must(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, result.size(), result.data(), 0, nullptr,
                           nullptr),
       "clEnqueueReadBuffer");
  print_result(seconds, result);
}
