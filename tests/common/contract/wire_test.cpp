#include "contract/wire.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cstring>

#include "judge/catch.h"

using namespace tilelab;

namespace {

/// Sends a message through a socket like a worker's.
template <class Message>
Message sent(const Message& message) {
  int ends[2];
  REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0);
  Message result;
  CHECK(send(ends[0], &message, sizeof message, 0) == sizeof message);
  CHECK(recv(ends[1], &result, sizeof result, 0) == sizeof result);
  close(ends[0]);
  close(ends[1]);
  return result;
}

}  // namespace

TEST_CASE("a request crosses the socket whole, with all its arguments") {
  wire::Request request;
  request.nonce = 0x123456789abcdef0;
  request.command = wire::Command::observe;
  request.order = Order::random;
  request.detail = Detail::everything;
  request.argument_count = wire::max_arguments;
  wire::Argument& last = request.arguments[wire::max_arguments - 1];
  last.role = wire::Role::output;
  std::strcpy(last.name, "nearest");
  last.image = {4096, 256, 12, 244};

  const wire::Request received = sent(request);
  CHECK(received.nonce == request.nonce);
  CHECK(received.command == wire::Command::observe);
  CHECK(received.order == Order::random);
  CHECK(received.detail == Detail::everything);
  const wire::Argument& argument = received.arguments[wire::max_arguments - 1];
  CHECK(argument.role == wire::Role::output);
  CHECK(std::string(argument.name) == "nearest");
  CHECK(argument.image.offset == 4096);
  CHECK(argument.image.bytes() == 512);
}

TEST_CASE("a reply crosses the socket whole, with its text") {
  wire::Reply reply;
  reply.status = wire::Status::cuda_error;
  reply.cuda_code = 700;
  std::memset(reply.text, 'x', sizeof reply.text - 1);
  const wire::Reply received = sent(reply);
  CHECK(received.status == wire::Status::cuda_error);
  CHECK(received.cuda_code == 700);
  CHECK(std::string(received.text) == std::string(sizeof reply.text - 1, 'x'));
}

TEST_CASE("the judge can tell a reply from a worker's first message by its size") {
  CHECK(sizeof(wire::Reply) != sizeof(wire::Hello));
}
