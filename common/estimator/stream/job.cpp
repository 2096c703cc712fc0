#include "estimator/stream/job.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>
#include <variant>

#include "estimator/execution/unknown.h"
#include "schema/estimate.h"
#include "schema/hexadecimal.h"
#include "schema/json_reader.h"

namespace tilelab::estimator {

namespace {

// Addresses are rounded up to lines.
constexpr std::uint64_t room_above = 128;

// What CUDA allows, on every GPU so far.
constexpr double most_registers = 255;
constexpr double most_shared_bytes = 228 * 1024;
constexpr std::uint64_t most_threads = 1024;
constexpr std::array<std::uint32_t, 3> largest_grid{0x7fffffff, 65535, 65535};
constexpr std::array<std::uint32_t, 3> largest_block{1024, 1024, 64};

/// An amount of what no GPU has more of.
double checked(std::uint64_t amount, double most, const char* what) {
  const auto value = static_cast<double>(amount);
  if (value > most) throw std::runtime_error(std::string("asks for too many ") + what);
  return value;
}

Change change_at(std::uint64_t address, const std::string& digits) {
  const std::vector<std::uint8_t> bytes = schema::bytes_of(digits);
  if (bytes.size() % 4 != 0 || address % 4 != 0) throw std::runtime_error("has half a word");
  Change made{address, std::vector<std::uint32_t>(bytes.size() / 4)};
  std::memcpy(made.words.data(), bytes.data(), bytes.size());
  return made;
}

bool is_within(const std::array<std::uint32_t, 3>& size,
               const std::array<std::uint32_t, 3>& largest) {
  return size[0] <= largest[0] && size[1] <= largest[1] && size[2] <= largest[2];
}

/// A program that asks for such a launch gets an error instead, and goes on.
bool can_start(const Launch& launch) {
  return is_within(launch.grid, largest_grid) && is_within(launch.block, largest_block) &&
         std::uint64_t{launch.block[0]} * launch.block[1] * launch.block[2] <= most_threads &&
         launch.dynamic_shared_bytes <= most_shared_bytes;
}

/// Adds each event to a job.
class Reader {
 public:
  void operator()(const schema::Begin& begin) {
    if (begin.version != schema::current_version) {
      throw std::runtime_error("has version " + std::to_string(begin.version) +
                               ", and this estimator reads version " +
                               std::to_string(schema::current_version));
    }
    has_begun_ = true;
  }
  void operator()(const schema::Constant& constant) { set(job.gpu, constant); }
  void operator()(const schema::Constants& constants) {
    job.constants = schema::bytes_of(constants.bytes);
  }
  void operator()(const schema::Addresses& addresses) {
    addresses_ = schema::bytes_of(addresses.bytes);
  }
  void operator()(const schema::Salt& salt) { salt_ = salt.value; }
  void operator()(const schema::Array& array) {
    add_array(job.arrays,
              {array.address, array.bytes, schema::contents_named(array.contents), false, salt_});
  }
  void operator()(const schema::Chunks& chunks) {
    chunks_ = std::make_shared<ChunkFile>(chunks.file);
  }
  void operator()(const schema::Image& image) {
    // Which of the program's variables are arrays, the images without chunks say.
    if (image.kind != "variables") {
      add_array(found_, {image.address, image.bytes, Contents::zeros, image.kind == "host"});
    }
    if (images_ == nullptr) images_ = std::make_shared<Images>(chunks_);
    if (!image.chunks.empty()) images_->add(image);
  }
  void operator()(const schema::Kernel& kernel) {
    job.kernels[kernel.name] = {
        checked(kernel.registers, most_registers, "registers"),
        checked(kernel.static_shared_bytes, most_shared_bytes, "bytes of shared memory")};
  }
  void operator()(const schema::JobLaunch& launch) {
    for (const auto& size : {launch.grid, launch.block}) {
      if (std::ranges::count(size, 0U) > 0) throw std::runtime_error("launches nothing");
    }
    job.launches.push_back({launch.kernel, launch.grid, launch.block,
                            static_cast<double>(launch.dynamic_shared_bytes),
                            schema::bytes_of(launch.parameters)});
    job.stored_by_host.push_back(std::exchange(before_launch_, {}));
    if (!can_start(job.launches.back())) {
      throw Unknown("no GPU starts so large a launch as that of the kernel " + launch.kernel);
    }
    if (images_ != nullptr) add_memory();
  }

  void operator()(const schema::HostStored& stored) {
    before_launch_.push_back(change_at(stored.address, stored.bytes));
  }
  void operator()(const schema::Ran& ran) {
    if (job.trials.size() + 1 != job.launches.size()) {
      throw std::runtime_error("does not follow its launch");
    }
    const std::uint64_t all = job.launches.back().blocks();
    if (std::ranges::any_of(ran.blocks, [&](std::uint64_t it) { return it >= all; })) {
      throw std::runtime_error("has a block that its launch has not");
    }
    job.trials.push_back({ran.blocks, {}});
  }
  void operator()(const schema::Stored& stored) {
    if (job.trials.empty()) throw std::runtime_error("comes before any block ran");
    job.trials.back().changes.push_back(change_at(stored.address, stored.bytes));
  }

  bool has_begun() const { return has_begun_; }

  Job job;

 private:
  static void add_array(std::vector<Array>& arrays, const Array& array) {
    constexpr std::uint64_t last = std::numeric_limits<std::uint64_t>::max() - room_above;
    if (array.address > last || array.bytes > last - array.address) {
      throw std::runtime_error("has an array that ends after the last address");
    }
    arrays.push_back(array);
  }

  /// The images before a launch are what it finds.
  void add_memory() {
    if (job.memories.size() + 1 != job.launches.size()) {
      throw std::runtime_error("has images, and an earlier launch has none");
    }
    Memory& made = job.memories.emplace_back(std::exchange(found_, {}));
    made.set_constants(job.constants);
    made.set_addresses(addresses_);
    made.set_images(std::exchange(images_, nullptr));
  }

  bool has_begun_ = false;
  std::vector<std::uint8_t> addresses_;
  std::shared_ptr<const ChunkFile> chunks_;
  std::vector<Array> found_;  // by the next launch
  std::shared_ptr<Images> images_;
  std::uint64_t salt_ = 0;
  std::vector<Change> before_launch_;
};

}  // namespace

Job read_job(std::istream& in) {
  Reader reader;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    try {
      std::visit(reader, schema::event_in<schema::Job>(line));
      if (!reader.has_begun()) throw std::runtime_error("comes before the version");
    } catch (const Unknown&) {
      throw;
    } catch (const std::runtime_error& error) {
      throw std::runtime_error("line " + std::to_string(number) + " " + error.what());
    }
  }
  return std::move(reader.job);
}

}  // namespace tilelab::estimator
