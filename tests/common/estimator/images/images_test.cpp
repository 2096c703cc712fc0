#include "estimator/images/images.h"

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <vector>

#include "estimator/execution/memory.h"
#include "estimator/stream/job.h"
#include "judge/catch.h"

using namespace tilelab::estimator;

namespace {

constexpr std::uint64_t place = 0x7f0000000000;
constexpr std::uint64_t chunk_words = tilelab::schema::chunk_bytes / 4;

/// A file with two chunks, whose words are their own numbers.
class File {
 public:
  File() : path(std::filesystem::temp_directory_path() / "tilelab_images_test") {
    std::vector<std::uint32_t> words(2 * chunk_words);
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = static_cast<std::uint32_t>(i);
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(words.data()),
               static_cast<std::streamsize>(4 * words.size()));
  }
  ~File() { std::filesystem::remove(path); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  std::filesystem::path path;
};

tilelab::schema::Image image(std::uint64_t address, std::uint64_t bytes,
                             std::vector<std::uint64_t> chunks) {
  return {address, bytes, "device", std::move(chunks)};
}

/// Three launches: one that finds an array, one without images for an array, and no array at all.
Job job_of(const std::string& file) {
  std::istringstream in(R"({"type": "begin", "version": 1}
{"type": "chunks", "file": ")" +
                        file + R"("}
{"type": "kernel", "name": "k", "registers": 8, "static_shared_bytes": 0}
{"type": "addresses", "bytes": "00000000007f0000"}
{"type": "image", "address": 139637976727552, "bytes": 8, "kind": "device", "chunks": [2]}
{"type": "launch", "kernel": "k", "grid": [1, 1, 1], "block": [32, 1, 1], "dynamic_shared_bytes": 0, "parameters": ""}
{"type": "image", "address": 139637976727552, "bytes": 8, "kind": "host", "chunks": []}
{"type": "launch", "kernel": "k", "grid": [1, 1, 1], "block": [32, 1, 1], "dynamic_shared_bytes": 0, "parameters": ""}
{"type": "image", "address": 4096, "bytes": 8, "kind": "variables", "chunks": [0]}
{"type": "launch", "kernel": "k", "grid": [1, 1, 1], "block": [32, 1, 1], "dynamic_shared_bytes": 0, "parameters": ""}
)");
  return read_job(in);
}

}  // namespace

TEST_CASE("an image has the words of its chunks") {
  const File file;
  Images images(std::make_shared<ChunkFile>(file.path));
  images.add(image(place, 3 * tilelab::schema::chunk_bytes, {2, 0, 1}));
  images.add(image(place - 4096, 12, {2}));
  CHECK(images.word(place) == chunk_words);
  CHECK(images.word(place + 7) == chunk_words + 1);
  CHECK(images.word(place + tilelab::schema::chunk_bytes + 4) == 0);
  CHECK(images.word(place + 2 * tilelab::schema::chunk_bytes + 4) == 1);
  CHECK(images.word(place - 4096 + 8) == chunk_words + 2);
  CHECK_FALSE(images.word(place - 4096 + 12).has_value());
  CHECK_FALSE(images.word(place - 8192).has_value());
  CHECK_FALSE(images.word(place + 3 * tilelab::schema::chunk_bytes).has_value());
}

TEST_CASE("chunks that are nowhere are refused") {
  const File file;
  Images images(std::make_shared<ChunkFile>(file.path));
  CHECK_THROWS(images.add(image(place, 4, {3})));
  CHECK_THROWS(images.add(image(place, tilelab::schema::chunk_bytes + 1, {1})));
  CHECK_THROWS(ChunkFile("/nowhere"));
}

TEST_CASE("each launch of a job finds the memory of its images") {
  const File file;
  Job job = job_of(file.path);
  REQUIRE(job.memories.size() == 3);
  Memory& known = job.memories[0];
  CHECK(known.load(place + 4, 4) == chunk_words + 1);
  CHECK_FALSE(known.is_unknown(place));
  CHECK(known.trusts_made_up());
  CHECK(known.address_of_variable(0) == 0x7f0000000000);
  CHECK(known.address_of_variable(8) == variables + (8U << 16U));
  known.store(place + 4, 5, 4);
  CHECK(known.load(place + 4, 4) == 5);

  const Memory& unknown = job.memories[1];
  CHECK(unknown.is_unknown(place));
  CHECK_FALSE(unknown.trusts_made_up());
  CHECK(unknown.arrays()[0].is_of_host);

  const Memory& variable = job.memories[2];
  CHECK(variable.arrays().empty());
  CHECK(variable.load(4096, 4) == 0);
  CHECK_FALSE(variable.is_unknown(4096));
}
