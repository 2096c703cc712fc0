// Arrays, surfaces, pitched memory of three dimensions, and the copies between them.

#include "textures/texture_objects.h"

namespace {

__global__ void double_elements(cudaSurfaceObject_t surface, int width) {
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  if (x >= width) return;
  int value;
  surf2Dread(&value, surface, x * 4, y);
  surf2Dwrite(2 * value, surface, x * 4, y);
}
__global__ void read_outside(cudaSurfaceObject_t surface, int* out) {
  out[0] = surf2Dread<int>(surface, 4 * 4, 0, cudaBoundaryModeZero);
  out[1] = surf2Dread<int>(surface, 4 * 4, 0, cudaBoundaryModeClamp);
}
__global__ void write_outside(cudaSurfaceObject_t surface) { surf2Dwrite(1, surface, 2, 9); }

class Surface {
 public:
  explicit Surface(const cudaResourceDesc& resource) {
    REQUIRE(cudaCreateSurfaceObject(&object_, &resource) == cudaSuccess);
  }
  ~Surface() { cudaDestroySurfaceObject(object_); }
  Surface(const Surface&) = delete;
  Surface& operator=(const Surface&) = delete;
  operator cudaSurfaceObject_t() const { return object_; }

 private:
  cudaSurfaceObject_t object_ = 0;
};

using Values = std::vector<int>;

Values rows_of(cudaArray_t array, std::size_t width, std::size_t height) {
  Values result(width * height);
  REQUIRE(cudaMemcpy2DFromArray(result.data(), width * 4, array, 0, 0, width * 4, height,
                                cudaMemcpyDeviceToHost) == cudaSuccess);
  return result;
}

}  // namespace

TEST_CASE("a surface reads and writes an array, with positions in bytes") {
  const ArrayOf<int> array({1, 2, 3, 4, 5, 6, 7, 8}, 4, 2, 0, cudaArraySurfaceLoadStore);
  const Surface surface(array.resource());
  double_elements<<<1, dim3(4, 2)>>>(surface, 4);
  REQUIRE(rows_of(array, 4, 2) == Values{2, 4, 6, 8, 10, 12, 14, 16});
}

TEST_CASE("outside of a surface is 0, or its edge") {
  const ArrayOf<int> array({1, 2, 3, 4}, 4, 1, 0, cudaArraySurfaceLoadStore);
  const Surface surface(array.resource());
  DeviceArray<int> out(2);
  read_outside<<<1, 1>>>(surface, out);
  REQUIRE(out.values() == Values{0, 4});
}

TEST_CASE("a position between two elements of a surface is a fault") {
  const std::string sentence = fault_of(cudaErrorMisalignedAddress, [] {
    const ArrayOf<int> array({1, 2, 3, 4}, 4, 1, 0, cudaArraySurfaceLoadStore);
    const Surface surface(array.resource());
    write_outside<<<1, 1>>>(surface);
  });
  REQUIRE_CONTAINS(sentence, "along x are in bytes");
}

TEST_CASE("a surface needs an array that was made for it") {
  const ArrayOf<int> array({1, 2}, 2);
  const cudaResourceDesc resource = array.resource();
  cudaSurfaceObject_t object = 0;
  REQUIRE(cudaCreateSurfaceObject(&object, &resource) == cudaErrorInvalidValue);
  static_cast<void>(cudaGetLastError());
}

TEST_CASE("copies take part of an array, and stay inside of it") {
  const ArrayOf<int> from({1, 2, 3, 4, 5, 6, 7, 8, 9}, 3, 3), to(Values(9), 3, 3);
  REQUIRE(cudaMemcpy2DArrayToArray(to, 4, 1, from, 0, 0, 8, 2) == cudaSuccess);
  REQUIRE(rows_of(to, 3, 3) == Values{0, 0, 0, 0, 1, 2, 0, 4, 5});
  REQUIRE(cudaMemcpy2DArrayToArray(to, 8, 0, from, 0, 0, 8, 1) == cudaErrorInvalidValue);
  const int value = 7;
  REQUIRE(cudaMemcpy2DToArray(to, 2, 0, &value, 4, 4, 1, cudaMemcpyHostToDevice) ==
          cudaErrorInvalidValue);
  static_cast<void>(cudaGetLastError());
  REQUIRE(cudaMemcpyToArray(to, 8, 0, Values{11, 12}.data(), 8, cudaMemcpyHostToDevice) ==
          cudaSuccess);
  REQUIRE(rows_of(to, 3, 3) == Values{0, 0, 11, 12, 1, 2, 0, 4, 5});
  const Values two{21, 22};
  REQUIRE(cudaMemcpyToArrayAsync(to, 0, 0, two.data(), 8, cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaMemcpyArrayToArray(to, 4, 2, from, 8, 0, 8) == cudaSuccess);
  REQUIRE(rows_of(to, 3, 3) == Values{21, 22, 11, 12, 1, 2, 0, 3, 4});
  Values read(3);
  REQUIRE(cudaMemcpyFromArrayAsync(read.data(), to, 4, 2, 8, cudaMemcpyDeviceToHost) ==
          cudaSuccess);
  REQUIRE(read == Values{3, 4, 0});
  REQUIRE(cudaMemcpyArrayToArray(to, 8, 2, from, 0, 0, 8) == cudaErrorInvalidValue);
  static_cast<void>(cudaGetLastError());
}

TEST_CASE("a box inside of pitched memory is filled, and copied out of it") {
  cudaPitchedPtr memory{};
  REQUIRE(cudaMalloc3D(&memory, make_cudaExtent(4 * sizeof(int), 3, 2)) == cudaSuccess);
  REQUIRE(memory.pitch >= 16);
  REQUIRE(memory.ysize == 3);
  REQUIRE(cudaMemset3D(memory, 1, make_cudaExtent(16, 3, 2)) == cudaSuccess);
  Values source{1, 2, 3, 4};
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(source.data(), 8, 2, 1);
  copy.dstPtr = memory;
  copy.dstPos = make_cudaPos(4, 1, 0);
  copy.extent = make_cudaExtent(8, 1, 2);
  copy.kind = cudaMemcpyHostToDevice;
  REQUIRE(cudaMemcpy3D(&copy) == cudaSuccess);
  Values all(24);
  cudaMemcpy3DParms back{};
  back.srcPtr = memory;
  back.dstPtr = make_cudaPitchedPtr(all.data(), 16, 4, 3);
  back.extent = make_cudaExtent(16, 3, 2);
  back.kind = cudaMemcpyDeviceToHost;
  REQUIRE(cudaMemcpy3D(&back) == cudaSuccess);
  REQUIRE(Values(all.begin() + 4, all.begin() + 8) == Values{0x01010101, 1, 2, 0x01010101});
  REQUIRE(Values(all.begin() + 16, all.begin() + 20) == Values{0x01010101, 3, 4, 0x01010101});
  REQUIRE(cudaFree(memory.ptr) == cudaSuccess);
}

TEST_CASE("an end of a copy is an array or a pointer, and an array is known") {
  cudaMemcpy3DParms copy{};
  copy.extent = make_cudaExtent(1, 1, 1);
  REQUIRE(cudaMemcpy3D(&copy) == cudaErrorInvalidValue);
  int value = 0;
  copy.srcPtr = make_cudaPitchedPtr(&value, 4, 1, 1);
  copy.dstArray = reinterpret_cast<cudaArray_t>(&value);
  REQUIRE(cudaMemcpy3D(&copy) == cudaErrorInvalidResourceHandle);
  static_cast<void>(cudaGetLastError());
}

TEST_CASE("an array says what it is made of") {
  const ArrayOf<float4> array(std::vector<float4>(6), 3, 2);
  cudaChannelFormatDesc channels{};
  cudaExtent extent{};
  unsigned flags = 1;
  REQUIRE(cudaArrayGetInfo(&channels, &extent, &flags, array) == cudaSuccess);
  REQUIRE((channels.x == 32 && channels.w == 32 && channels.f == cudaChannelFormatKindFloat));
  REQUIRE((extent.width == 3 && extent.height == 2 && extent.depth == 0 && flags == 0));
}
