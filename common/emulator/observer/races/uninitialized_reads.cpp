#include "emulator/observer/races/uninitialized_reads.h"

#include <bit>

#include "emulator/runtime/execution/builtin_variables.h"

namespace tilelab::emulator {
namespace {

/// Whether the address is in memory that begins uninitialized.
bool can_be_unwritten(std::uint32_t address) { return address < space_base::variables; }

/// Whether all lanes read the same place, and it was written. This is the most common case.
bool reads_written_word(const ByteSet& written, const WarpAccess& access) {
  return access.is_regular && access.stride == 0 && written.contains(access.first, access.bytes());
}

}  // namespace

void UninitializedReads::take(const WarpAccess& access) {
  const std::uint32_t address = access.address(0);
  if (!can_be_unwritten(address)) return;
  ByteSet& written = address < space_base::shared ? global_written_ : shared_written_;
  const AccessKind kind = kind_of(access.code);
  if (kind != AccessKind::store && !reads_written_word(written, access)) find_in(written, access);
  if (kind == AccessKind::load) return;
  for (unsigned i = 0; i < access.count; ++i) written.add(access.address(i), access.bytes());
}

void UninitializedReads::resume(const std::vector<ByteSet::Word>& written) {
  shared_written_.clear();
  for (const ByteSet::Word& word : written) shared_written_.add_word(word);
}

void UninitializedReads::copied(const RaceDetector::CopyPlace& place, unsigned thread) {
  WarpAccess access;
  access.warp = thread / 32;
  access.lanes = 1u << thread % 32;
  access.count = 1;
  access.is_regular = true;
  access.stride = 0;
  // A source that is cut short is read in words.
  const bool is_whole = place.source_bytes == place.bytes;
  access.code = is_whole ? place.load : make_code(place_of(place.load), AccessKind::load, 0);
  for (unsigned at = 0; at < place.source_bytes; at += access.bytes()) {
    access.first = place.from + at;
    take(access);
  }
  access.code = place.store;
  access.first = place.to;
  take(access);
}

void UninitializedReads::find_in(const ByteSet& written, const WarpAccess& access) {
  std::uint32_t lanes = access.lanes;
  unsigned unwritten = 0;
  std::uint32_t first_address = 0;
  unsigned first_lane = 0;
  for (unsigned i = 0; i < access.count; ++i, lanes &= lanes - 1) {
    if (written.contains(access.address(i), access.bytes())) continue;
    if (unwritten++ > 0) continue;
    first_address = access.address(i);
    first_lane = static_cast<unsigned>(std::countr_zero(lanes));
  }
  if (unwritten == 0) return;
  const FindingLog::Party reader{access.code, blockIdx, access.warp * 32 + first_lane};
  findings_.add_uninitialized_read(first_address, access.bytes(), reader, unwritten);
}

}  // namespace tilelab::emulator
