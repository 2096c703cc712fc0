#include "contract/host_reads.h"

#include "judge/catch.h"

using tilelab::HostReads;

TEST_CASE("a call may read back a few bytes, in any number of copies") {
  HostReads reads;
  reads.begin_call(false);
  for (std::size_t i = 0; i < HostReads::allowed_bytes; ++i) CHECK(reads.may_read(1));
  CHECK_FALSE(reads.may_read(1));
  reads.begin_call(false);
  CHECK_FALSE(reads.may_read(HostReads::allowed_bytes + 1));
  CHECK(reads.may_read(HostReads::allowed_bytes));
}

TEST_CASE("the worker itself, and a lab that says so, may read back everything") {
  HostReads reads;
  CHECK(reads.may_read(1u << 30));
  reads.begin_call(false);
  reads.end_call();
  CHECK(reads.may_read(1u << 30));
  reads.begin_call(true);
  CHECK(reads.may_read(1u << 30));
}
