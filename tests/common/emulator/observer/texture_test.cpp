// What kernels read and write through textures and surfaces counts like any other access.

#include <functional>

#include "observe.h"
#include "texture_kernels.h"

namespace {

constexpr int width = 8, height = 4;

/// An array and its objects, freed at the end of their scope.
class Image {
 public:
  Image() {
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array_, &channels, width, height, cudaArraySurfaceLoadStore);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    const cudaTextureDesc description{};
    cudaCreateTextureObject(&texture_, &resource, &description, nullptr);
    cudaCreateSurfaceObject(&surface_, &resource);
  }
  ~Image() {
    cudaDestroyTextureObject(texture_);
    cudaDestroySurfaceObject(surface_);
    cudaFreeArray(array_);
  }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  void copy_rows(int rows) const {
    std::vector<float> values(static_cast<std::size_t>(width * height), 1);
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(values.data(), width * sizeof(float), width, height);
    copy.dstArray = array_;
    copy.extent = make_cudaExtent(width, static_cast<std::size_t>(rows), 1);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
  }
  cudaTextureObject_t texture() const { return texture_; }
  cudaSurfaceObject_t surface() const { return surface_; }

 private:
  cudaArray_t array_ = nullptr;
  cudaTextureObject_t texture_ = 0;
  cudaSurfaceObject_t surface_ = 0;
};

}  // namespace

TEST_CASE("a texture's memory that other threads write is a data race") {
  Array<float> memory(64), out(64);
  cudaMemset(memory, 0, 64 * sizeof(float));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = 64 * sizeof(float);
  const cudaTextureDesc description{};
  cudaTextureObject_t texture = 0;
  REQUIRE(cudaCreateTextureObject(&texture, &resource, &description, nullptr) == cudaSuccess);
  const auto launch = launch_of([&] { read_and_write_texture_memory(texture, memory, out); });
  REQUIRE(of_kind(launch, FindingKind::data_race).size() == 1);
  cudaDestroyTextureObject(texture);
}

TEST_CASE("elements that no copy filled were never written") {
  const Image image;
  Array<float> out(width * height);
  const auto partly = launch_of([&] {
    image.copy_rows(height - 1);
    read_texture(image.texture(), out, width, height);
  });
  const auto found = of_kind(partly, FindingKind::uninitialized_read);
  REQUIRE(found.size() == 1);
  REQUIRE(found[0].count == width);
  const auto whole = launch_of([&] {
    image.copy_rows(height);
    read_texture(image.texture(), out, width, height);
  });
  REQUIRE(whole.findings.empty());
}

TEST_CASE("what a kernel writes through a surface is written") {
  const Image image;
  Array<float> out(width);
  const Report report = observe([&] {
    write_surface(image.surface(), width);
    read_texture(image.texture(), out, width, 1);
  });
  REQUIRE(report.launches.size() == 2);
  for (const LaunchReport& launch : report.launches) REQUIRE(launch.findings.empty());
}
