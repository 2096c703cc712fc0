#include "program/report_file.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>

#include "report/decode.h"
#include "report/encode.h"

namespace tilelab::program {

std::vector<std::byte> piece_of(const report::Report& report) {
  const std::vector<std::byte> bytes = report::encode(report);
  const std::uint64_t size = bytes.size();
  std::vector<std::byte> piece(sizeof size + bytes.size());
  std::memcpy(piece.data(), &size, sizeof size);
  std::memcpy(piece.data() + sizeof size, bytes.data(), bytes.size());
  return piece;
}

std::vector<std::byte> page_of(const Progress& progress) {
  std::vector<std::byte> page(progress_bytes);
  std::memcpy(page.data(), &progress, sizeof progress);
  return page;
}

ReportFile read_report_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> all{std::istreambuf_iterator<char>(file), {}};
  ReportFile result;
  if (all.size() >= progress_bytes) std::memcpy(&result.progress, all.data(), sizeof(Progress));
  if (result.progress.format != report_format) throw std::runtime_error("this is no report");
  auto rest = std::as_bytes(std::span(all)).subspan(progress_bytes);
  std::uint64_t size = 0;
  while (rest.size() >= sizeof size) {
    std::memcpy(&size, rest.data(), sizeof size);
    rest = rest.subspan(sizeof size);
    if (size > rest.size()) break;  // the program was killed while it wrote this
    report::Report piece = report::decode(rest.first(size));
    rest = rest.subspan(size);
    if (result.report.launches.empty() && result.report.findings.empty()) {
      result.report = std::move(piece);
    } else {
      std::move(piece.findings.begin(), piece.findings.end(),
                std::back_inserter(result.report.findings));
    }
  }
  return result;
}

}  // namespace tilelab::program
