#include "estimator/stream/job.h"

#include <sstream>

#include "estimator/execution/unknown.h"
#include "judge/catch.h"

using namespace tilelab::estimator;

namespace {

Job job_of(const std::string& lines) {
  std::istringstream in(R"({"type": "begin", "version": 1})" + ("\n" + lines));
  return read_job(in);
}

std::string array(const std::string& address, const std::string& bytes,
                  const std::string& contents = "bits") {
  return R"({"type": "array", "address": )" + address + R"(, "bytes": )" + bytes +
         R"(, "contents": ")" + contents + "\"}\n";
}

std::string kernel(const std::string& registers, const std::string& shared_bytes) {
  return R"({"type": "kernel", "name": "diff", "registers": )" + registers +
         R"(, "static_shared_bytes": )" + shared_bytes + "}\n";
}

std::string launch(const std::string& grid, const std::string& block,
                   const std::string& shared_bytes = "0", const std::string& parameters = "") {
  return R"({"type": "launch", "kernel": "diff", "grid": [)" + grid + R"(], "block": [)" + block +
         R"(], "dynamic_shared_bytes": )" + shared_bytes + R"(, "parameters": ")" + parameters +
         "\"}\n";
}

std::string constant(const std::string& name, const std::string& value) {
  return R"({"type": "constant", "name": ")" + name + R"(", "value": )" + value + "}\n";
}

}  // namespace

TEST_CASE("a job's arrays, kernels and launches are read") {
  const Job job =
      job_of(array("32512", "1024") + kernel("24", "1028") +
             launch("4, 2, 1", "256, 1, 1", "16", "007fff") + launch("1, 1, 1", "32, 1, 1"));
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

TEST_CASE("what arrays hold depends on the salt before them") {
  const Job job = job_of(array("4096", "1024") + R"({"type": "salt", "value": 5})" + "\n" +
                         array("8192", "1024") + array("16384", "1024", "scratch"));
  CHECK(job.arrays[0].salt == 0);
  CHECK(job.arrays[1].salt == 5);
  CHECK(Memory({job.arrays[1]}).word(8192) != Memory({{8192, 1024, Contents::bits}}).word(8192));
  CHECK(job.arrays[2].contents == Contents::scratch);
}

TEST_CASE("what the host stores before a launch is the launch's, whether or not blocks ran") {
  const std::string one = launch("1, 1, 1", "32, 1, 1");
  const Job job =
      job_of(one + R"({"type": "host_stored", "address": 4096, "bytes": "01000000"})" + "\n" + one);
  REQUIRE(job.stored_by_host.size() == 2);
  CHECK(job.stored_by_host[0].empty());
  REQUIRE(job.stored_by_host[1].size() == 1);
  CHECK(job.stored_by_host[1][0].words == std::vector<std::uint32_t>{1});
}

TEST_CASE("a line of a job that is wrong is named") {
  CHECK_THROWS_WITH(job_of(array("1", "1024") + "buffer\n"), tilelab::contains("line 3"));
  CHECK_THROWS_WITH(job_of(array("1", "1024", "words")), tilelab::contains("contents: words"));
  CHECK_THROWS_WITH(job_of(launch("0, 1, 1", "256, 1, 1")), tilelab::contains("launches nothing"));
  CHECK_THROWS_WITH(job_of(launch("1, 1, 1", "256, 1, 1", "0", "0g")),
                    tilelab::contains("hexadecimal"));
  CHECK_THROWS_WITH(job_of(launch("1, 1, 1", "256, 1, 1", "0", "0")),
                    tilelab::contains("hexadecimal"));
}

TEST_CASE("a job of another version, or of none, is refused") {
  std::istringstream newer(R"({"type": "begin", "version": 2})");
  CHECK_THROWS_WITH(read_job(newer), tilelab::contains("reads version 1"));
  std::istringstream none(kernel("24", "0"));
  CHECK_THROWS_WITH(read_job(none), tilelab::contains("before the version"));
}

TEST_CASE("resources that no GPU has are wrong") {
  CHECK_THROWS(job_of(kernel("256", "0")));
  CHECK_THROWS(job_of(kernel("-1", "0")));
  CHECK_THROWS(job_of(kernel("16", "1e82")));
  CHECK_THROWS(job_of(kernel("16", "233473")));
  CHECK_THROWS(job_of(array("18446744073709551360", "512")));
  CHECK_THROWS(job_of(array("18446744073709551615", "1")));
  CHECK_THROWS(job_of(launch("1, 1, 1", "256, 1, 1", "-1")));
}

TEST_CASE("a launch that no GPU starts is not estimated") {
  CHECK_NOTHROW(job_of(launch("2147483647, 65535, 65535", "1024, 1, 1", "232448")));
  CHECK_THROWS_AS(job_of(launch("1, 1, 1", "1024, 2, 1")), Unknown);
  CHECK_THROWS_AS(job_of(launch("1, 1, 1", "1, 1, 65")), Unknown);
  CHECK_THROWS_AS(job_of(launch("1, 65536, 1", "256, 1, 1")), Unknown);
  CHECK_THROWS_AS(job_of(launch("1, 1, 1", "65536, 65536, 1")), Unknown);
  CHECK_THROWS_AS(job_of(launch("1, 1, 1", "256, 1, 1", "1000000000000")), Unknown);
}

TEST_CASE("a GPU's constants are read, and others refused") {
  CHECK(job_of("").gpu.multiprocessors == 132);
  CHECK(job_of(constant("multiprocessors", "80") + constant("l2_latency", "2e2")).gpu.l2_latency ==
        200);
  CHECK_THROWS_WITH(job_of(constant("bogus", "1")), tilelab::contains("bogus"));
}
