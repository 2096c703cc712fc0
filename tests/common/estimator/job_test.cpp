#include "estimator/estimate/job.h"

#include <sstream>

#include "estimator/execution/unknown.h"
#include "estimator/timing/gpu.h"
#include "judge/catch.h"

using namespace tilelab::estimator;

namespace {

Job job_of(const char* text) {
  std::istringstream in(text);
  return read_job(in);
}

Gpu gpu_of(const char* text) {
  std::istringstream in(text);
  return read_gpu(in);
}

}  // namespace

TEST_CASE("a job's arrays, kernels and launches are read") {
  const Job job = job_of(
      "array 7f00 1024 bits\n"
      "kernel diff 24 1028\n"
      "launch diff 4 2 1 256 1 1 16 007fff\n"
      "launch other 1 1 1 32 1 1 0\n");
  REQUIRE(job.arrays.size() == 1);
  CHECK(job.arrays[0].address == 0x7f00);
  CHECK(job.arrays[0].contents == Contents::bits);
  CHECK(job.kernels.at("diff").shared_bytes == 1028);
  REQUIRE(job.launches.size() == 2);
  CHECK(job.launches[0].blocks() == 8);
  CHECK(job.launches[0].warps() == 8);
  CHECK(job.launches[0].parameters == std::vector<std::uint8_t>{0, 0x7f, 0xff});
  CHECK(job.launches[1].parameters.empty());
}

TEST_CASE("a line of a job that is wrong is named") {
  CHECK_THROWS_WITH(job_of("array 7f00 1024 bits\nbuffer 1\n"), tilelab::contains("line 2"));
  CHECK_THROWS_WITH(job_of("array 7f00 many bits\n"), tilelab::contains("array"));
  CHECK_THROWS(job_of("array 7f00 1024 words\n"));
  CHECK_THROWS(job_of("kernel diff 24\n"));
  CHECK_THROWS(job_of("launch diff 0 1 1 256 1 1 0\n"));
  CHECK_THROWS(job_of("launch diff 1 1 1 256 1 1 0 0g\n"));
  CHECK_THROWS(job_of("launch diff 1 1 1 256 1 1 0 00 more\n"));
}

TEST_CASE("resources that no GPU has are wrong") {
  CHECK_THROWS(job_of("kernel diff 256 0\n"));
  CHECK_THROWS(job_of("kernel diff -1 0\n"));
  CHECK_THROWS(job_of("kernel diff 16 1e82\n"));
  CHECK_THROWS(job_of("array ffffffffffffff00 512 zeros\n"));
  CHECK_THROWS(job_of("launch diff 1 1 1 256 1 1 -1\n"));
}

TEST_CASE("a launch that no GPU starts is not estimated") {
  CHECK_NOTHROW(job_of("launch diff 2147483647 65535 65535 1024 1 1 232448\n"));
  CHECK_THROWS_AS(job_of("launch diff 1 1 1 1024 2 1 0\n"), Unknown);
  CHECK_THROWS_AS(job_of("launch diff 1 1 1 1 1 65 0\n"), Unknown);
  CHECK_THROWS_AS(job_of("launch diff 1 65536 1 256 1 1 0\n"), Unknown);
  CHECK_THROWS_AS(job_of("launch diff 1 1 1 65536 65536 1 0\n"), Unknown);
  CHECK_THROWS_AS(job_of("launch diff 1 1 1 256 1 1 1e30\n"), Unknown);
}

TEST_CASE("a GPU's figures are read, and others refused") {
  CHECK(gpu_of("").multiprocessors == 132);
  CHECK(gpu_of("multiprocessors 80\nl2_latency 200\n").l2_latency == 200);
  CHECK_THROWS_WITH(gpu_of("bogus 1\n"), tilelab::contains("bogus"));
  CHECK_THROWS_WITH(gpu_of("warps many\n"), tilelab::contains("warps"));
}
