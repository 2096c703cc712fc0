// Texture objects: which elements a coordinate names, and what a filter makes of them.

#include <cmath>

#include "textures/texture_objects.h"

namespace {

__global__ void fetch_1d(cudaTextureObject_t texture, const float* at, float* out) {
  out[threadIdx.x] = tex1D<float>(texture, at[threadIdx.x]);
}
__global__ void fetch_2d(cudaTextureObject_t texture, const float2* at, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, at[threadIdx.x].x, at[threadIdx.x].y);
}
__global__ void fetch_3d(cudaTextureObject_t texture, float3 at, float* out) {
  *out = tex3D<float>(texture, at.x, at.y, at.z);
}
__global__ void fetch_layers(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2DLayered<float>(texture, 1.5f, 0.5f, static_cast<int>(threadIdx.x));
}
__global__ void fetch_linear(cudaTextureObject_t texture, const int* at, float4* out) {
  out[threadIdx.x] = tex1Dfetch<float4>(texture, at[threadIdx.x]);
}
template <class T>
__global__ void fetch_element(cudaTextureObject_t texture, T* out) {
  tex2D(out, texture, 1.5f, 0.5f);
}
__global__ void gather(cudaTextureObject_t texture, float4* out) {
  *out = tex2Dgather<float4>(texture, 1.0f, 1.0f);
}
__global__ void fetch_faces(cudaTextureObject_t texture, const float3* at, float* out) {
  const float3 direction = at[threadIdx.x];
  out[threadIdx.x] = texCubemap<float>(texture, direction.x, direction.y, direction.z);
}
__global__ void fetch_level(cudaTextureObject_t texture, const float* levels, float* out) {
  out[threadIdx.x] = tex2DLod<float>(texture, 0.5f, 0.5f, levels[threadIdx.x]);
}

__global__ void fetch_destroyed(cudaTextureObject_t texture) { tex1D<float>(texture, 0.5f); }

std::vector<float> at_1d(cudaTextureObject_t texture, const std::vector<float>& coordinates) {
  DeviceArray<float> at(coordinates), out(coordinates.size());
  fetch_1d<<<1, static_cast<unsigned>(coordinates.size())>>>(texture, at, out);
  return out.values();
}

float at_2d(cudaTextureObject_t texture, float x, float y) {
  DeviceArray<float2> at(std::vector<float2>{make_float2(x, y)});
  DeviceArray<float> out(1);
  fetch_2d<<<1, 1>>>(texture, at, out);
  return out.values()[0];
}

cudaTextureDesc description(cudaTextureAddressMode mode, bool is_filtered, bool is_normalized) {
  cudaTextureDesc texture{};
  for (cudaTextureAddressMode& each : texture.addressMode) each = mode;
  texture.filterMode = is_filtered ? cudaFilterModeLinear : cudaFilterModePoint;
  texture.normalizedCoords = is_normalized;
  return texture;
}

using Values = std::vector<float>;

}  // namespace

TEST_CASE("a texture without filter reads the element that the coordinate is in") {
  const ArrayOf<float> array({10, 20, 30, 40}, 4);
  const Texture texture(array, description(cudaAddressModeClamp, false, false));
  REQUIRE(at_1d(texture, {-3, 0, 0.99f, 1, 3.5f, 9}) == Values{10, 10, 10, 20, 40, 40});
}

TEST_CASE("a filter weighs the neighbors, whose centers are at one half") {
  const ArrayOf<float> array({10, 20, 30, 40}, 4);
  const Texture texture(array, description(cudaAddressModeClamp, true, false));
  REQUIRE(at_1d(texture, {0.5f, 1.0f, 1.25f, 3.5f, 4}) == Values{10, 15, 17.5f, 40, 40});
}

TEST_CASE("the weights of a filter have 8 bits") {
  const ArrayOf<float> array({0, 1}, 2);
  const Texture texture(array, description(cudaAddressModeClamp, true, false));
  REQUIRE(at_1d(texture, {0.5f + 0.001f, 0.5f + 0.003f}) == Values{0, 1.0f / 256});
}

TEST_CASE("normalized coordinates wrap, mirror, clamp or meet the border") {
  const ArrayOf<float> array({10, 20, 30, 40}, 4);
  const Values at{-0.1f, 0.1f, 1.1f, 1.3f, 2.1f};
  const auto with = [&](cudaTextureAddressMode mode) {
    cudaTextureDesc texture = description(mode, false, true);
    texture.borderColor[0] = 7;
    return at_1d(Texture(array, texture), at);
  };
  REQUIRE(with(cudaAddressModeWrap) == Values{40, 10, 10, 20, 10});
  REQUIRE(with(cudaAddressModeMirror) == Values{10, 10, 40, 30, 10});
  REQUIRE(with(cudaAddressModeClamp) == Values{10, 10, 40, 40, 40});
  REQUIRE(with(cudaAddressModeBorder) == Values{7, 10, 7, 7, 7});
}

TEST_CASE("a filter follows the address mode across the edge") {
  const ArrayOf<float> array({10, 20, 30, 40}, 4);
  REQUIRE(at_1d(Texture(array, description(cudaAddressModeWrap, true, true)), {0, 1}) ==
          Values{25, 25});
  REQUIRE(at_1d(Texture(array, description(cudaAddressModeMirror, true, true)), {0}) == Values{10});
  REQUIRE(at_1d(Texture(array, description(cudaAddressModeBorder, true, true)), {0}) == Values{5});
}

TEST_CASE("coordinates that are not normalized are clamped where others would wrap") {
  const ArrayOf<float> array({10, 20, 30, 40}, 4);
  const Texture texture(array, description(cudaAddressModeWrap, false, false));
  REQUIRE(at_1d(texture, {4.5f, -1}) == Values{40, 10});
}

TEST_CASE("textures of two and three dimensions are filtered along each") {
  const ArrayOf<float> plane({0, 1, 2, 3}, 2, 2);
  REQUIRE(at_2d(Texture(plane, description(cudaAddressModeClamp, true, false)), 1, 1) == 1.5f);
  const ArrayOf<float> box({0, 1, 2, 3, 4, 5, 6, 7}, 2, 2, 2);
  const Texture texture(box, description(cudaAddressModeClamp, true, false));
  DeviceArray<float> out(1);
  fetch_3d<<<1, 1>>>(texture, make_float3(1, 1, 1), out);
  REQUIRE(out.values()[0] == 3.5f);
  fetch_3d<<<1, 1>>>(texture, make_float3(1.5f, 0.5f, 1.5f), out);
  REQUIRE(out.values()[0] == 5);
}

TEST_CASE("a layer is no coordinate: it is clamped and not filtered") {
  const ArrayOf<float> array({1, 2, 3, 4, 5, 6}, 2, 1, 3, cudaArrayLayered);
  DeviceArray<float> out(5);
  fetch_layers<<<1, 5>>>(Texture(array, description(cudaAddressModeClamp, true, false)), out);
  REQUIRE(out.values() == Values{2, 4, 6, 6, 6});
}

TEST_CASE("tex1Dfetch reads linear memory, and 0 outside") {
  DeviceArray<float4> memory({make_float4(1, 2, 3, 4), make_float4(5, 6, 7, 8)});
  const Texture texture = Texture::of_linear<float4>(memory, 2, {});
  DeviceArray<int> at({1, 2, -1});
  DeviceArray<float4> out(3);
  fetch_linear<<<1, 3>>>(texture, at, out);
  REQUIRE(out.values()[0].w == 8);
  REQUIRE(out.values()[1].x == 0);
  REQUIRE(out.values()[2].y == 0);
}

TEST_CASE("rows with a pitch are a texture of two dimensions") {
  float* rows = nullptr;
  std::size_t pitch = 0;
  REQUIRE(cudaMallocPitch(&rows, &pitch, 3 * sizeof(float), 2) == cudaSuccess);
  const Values values{1, 2, 3, 4, 5, 6};
  REQUIRE(cudaMemcpy2D(rows, pitch, values.data(), 3 * sizeof(float), 3 * sizeof(float), 2,
                       cudaMemcpyHostToDevice) == cudaSuccess);
  const Texture texture =
      Texture::of_rows<float>(rows, pitch, 3, 2, description(cudaAddressModeClamp, false, false));
  REQUIRE(at_2d(texture, 2.5f, 1.5f) == 6);
  REQUIRE(at_2d(texture, 5, 0) == 3);
  REQUIRE(cudaFree(rows) == cudaSuccess);
}

TEST_CASE("integers come as they are, or as numbers up to 1") {
  const ArrayOf<uchar4> array({make_uchar4(0, 0, 0, 0), make_uchar4(255, 51, 0, 102)}, 2, 1);
  cudaTextureDesc texture = description(cudaAddressModeClamp, false, false);
  DeviceArray<uchar4> elements(1);
  fetch_element<uchar4><<<1, 1>>>(Texture(array, texture), elements);
  REQUIRE(elements.values()[0].y == 51);
  texture.readMode = cudaReadModeNormalizedFloat;
  DeviceArray<float4> numbers(1);
  fetch_element<float4><<<1, 1>>>(Texture(array, texture), numbers);
  REQUIRE(numbers.values()[0].x == 1.0f);
  REQUIRE(numbers.values()[0].w == 0.4f);
  const ArrayOf<char> negative({0, -128}, 2, 1);
  DeviceArray<float> out(1);
  fetch_element<float><<<1, 1>>>(Texture(negative, texture), out);
  REQUIRE(out.values()[0] == -1.0f);
}

TEST_CASE("a signed element of 16 bits keeps its sign") {
  const ArrayOf<short> array({0, -5}, 2, 1);
  DeviceArray<short> out(1);
  fetch_element<short>
      <<<1, 1>>>(Texture(array, description(cudaAddressModeClamp, false, false)), out);
  REQUIRE(out.values()[0] == -5);
}

TEST_CASE("tex2Dgather returns the four elements of a filter in CUDA's order") {
  const ArrayOf<float> array({0, 1, 2, 3}, 2, 2);
  DeviceArray<float4> out(1);
  gather<<<1, 1>>>(Texture(array, description(cudaAddressModeClamp, false, false)), out);
  const float4 four = out.values()[0];
  REQUIRE(Values{four.x, four.y, four.z, four.w} == Values{2, 3, 1, 0});
}

TEST_CASE("the largest part of a direction chooses a cube's face") {
  const ArrayOf<float> array({0, 1, 2, 3, 4, 5}, 1, 1, 6, cudaArrayCubemap);
  const Texture texture(array, description(cudaAddressModeClamp, false, true));
  DeviceArray<float3> at({make_float3(1, 0, 0), make_float3(-1, 0.5f, 0), make_float3(0, 2, 1),
                          make_float3(0, -1, 0), make_float3(0.1f, 0, 1), make_float3(0, 0, -3)});
  DeviceArray<float> out(6);
  fetch_faces<<<1, 6>>>(texture, at, out);
  REQUIRE(out.values() == Values{0, 1, 2, 3, 4, 5});
}

TEST_CASE("levels of a mipmapped array are chosen, or mixed by a filter") {
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t array = nullptr;
  REQUIRE(cudaMallocMipmappedArray(&array, &channels, make_cudaExtent(2, 2, 0), 2) == cudaSuccess);
  for (unsigned number = 0; number < 2; ++number) {
    cudaArray_t level = nullptr;
    REQUIRE(cudaGetMipmappedArrayLevel(&level, array, number) == cudaSuccess);
    const Values values(4, static_cast<float>(10 * number));
    const std::size_t size = number == 0 ? 2 : 1;
    REQUIRE(cudaMemcpy2DToArray(level, 0, 0, values.data(), size * 4, size * 4, size,
                                cudaMemcpyHostToDevice) == cudaSuccess);
  }
  cudaTextureDesc texture = description(cudaAddressModeClamp, false, true);
  texture.maxMipmapLevelClamp = 1;
  const Values asked{0, 0.25f, 0.75f, 5};
  DeviceArray<float> levels(asked), out(4);
  const auto with = [&](cudaTextureFilterMode mode) {
    texture.mipmapFilterMode = mode;
    fetch_level<<<1, 4>>>(Texture::of_levels(array, texture), levels, out);
    return out.values();
  };
  REQUIRE(with(cudaFilterModePoint) == Values{0, 0, 10, 10});
  REQUIRE(with(cudaFilterModeLinear) == Values{0, 2.5f, 7.5f, 10});
  REQUIRE(cudaFreeMipmappedArray(array) == cudaSuccess);
}

TEST_CASE("what CUDA does not filter or normalize is refused") {
  const ArrayOf<int> array({1, 2}, 2);
  cudaTextureObject_t object = 0;
  cudaTextureDesc texture = description(cudaAddressModeClamp, true, false);
  const cudaResourceDesc resource = array.resource();
  REQUIRE(cudaCreateTextureObject(&object, &resource, &texture, nullptr) ==
          cudaErrorInvalidFilterSetting);
  texture.readMode = cudaReadModeNormalizedFloat;
  REQUIRE(cudaCreateTextureObject(&object, &resource, &texture, nullptr) ==
          cudaErrorInvalidNormSetting);
  static_cast<void>(cudaGetLastError());
}

TEST_CASE("a texture object that was destroyed is a fault") {
  const std::string sentence =
      fault_of(cudaErrorIllegalAddress, [] { fetch_destroyed<<<1, 1>>>(99999); });
  REQUIRE_CONTAINS(sentence, "texture object that does not exist");
}
