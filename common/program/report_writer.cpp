#include "program/report_writer.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string_view>

namespace tilelab::program {
namespace {

template <std::size_t size>
void copy_text(std::array<char, size>& to, std::string_view text) {
  const std::size_t kept = std::min(text.size(), size - 1);
  std::memcpy(to.data(), text.data(), kept);
  to[kept] = '\0';
}

Progress progress_of(std::uint64_t launches, const char* ended_by) {
  Progress progress;
  progress.format = report_format;
  progress.launches = launches;
  copy_text(progress.ended_by, ended_by);
  return progress;
}

/// Opened anew each time, because the program may close what it did not open.
bool write_to(const std::string& path, int flags, std::span<const std::byte> bytes) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0600);
  if (file < 0) return false;
  const bool is_written = write(file, bytes.data(), bytes.size()) == std::ssize(bytes);
  return (close(file) == 0) && is_written;
}

std::vector<std::byte> bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> all{std::istreambuf_iterator<char>(file), {}};
  const auto bytes = std::as_bytes(std::span(all));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

bool ReportWriter::is_forked() const { return getpid() != process_; }

ReportWriter::ReportWriter(const std::string& path)
    : path_(std::filesystem::absolute(path)), of_forked_(path_ + ".forked"), process_(getpid()) {
  if (!write_to(path_, O_TRUNC, page_of(progress_of(0, "unknown")))) return;
  const int file = open(path_.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void* const page = mmap(nullptr, progress_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (page != MAP_FAILED) progress_ = static_cast<Progress*>(page);
}

void ReportWriter::launch_begins(const emulator::KernelCall& kernel,
                                 const emulator::LaunchConfiguration& configuration) {
  if (progress_ == nullptr) return;
  std::atomic_ref(progress_->launches).fetch_add(1);  // other processes have the same page
  if (is_forked()) return;
  ++launches_;
  progress_->line = configuration.site.line;
  copy_text(progress_->file, configuration.site.file);
  copy_text(progress_->kernel, kernel.name);
}

void ReportWriter::launch_ends() {
  if (progress_ != nullptr && !is_forked()) progress_->kernel[0] = '\0';
}

void ReportWriter::found(const report::Finding& finding) {
  if (progress_ == nullptr) return;
  const report::SourcePlace &first = finding.first.place, &second = finding.second.place;
  const auto [place, is_new] =
      known_.insert({finding.kind, finding.memory.name, first.code, second.code, first.line,
                     second.line, finding.sentence});
  last_ = is_new ? place : known_.end();
  if (!is_new) return;
  report::Report piece;
  piece.findings.push_back(finding);
  struct stat status {};
  stat(file().c_str(), &status);
  end_before_last_ = status.st_size;
  write_to(file(), O_APPEND, piece_of(piece));
}

void ReportWriter::withdrawn() {
  if (last_ == known_.end()) return;
  static_cast<void>(!truncate(file().c_str(), end_before_last_));
  known_.erase(last_);
  last_ = known_.end();
}

void ReportWriter::complete(const report::Report& report, const char* ended_by) {
  const std::uint64_t all = progress_ != nullptr ? progress_->launches : launches_;
  std::vector<std::byte> bytes = page_of(progress_of(all - launches_, ended_by));
  for (const std::vector<std::byte>& piece : {piece_of(report), bytes_of(of_forked_)}) {
    bytes.insert(bytes.end(), piece.begin(), piece.end());
  }
  const std::string complete = path_ + ".complete";
  if (write_to(complete, O_TRUNC, bytes)) std::rename(complete.c_str(), path_.c_str());
}

}  // namespace tilelab::program
