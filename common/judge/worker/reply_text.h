#pragma once

#include <string.h>

#include <algorithm>
#include <span>
#include <string>

#include "contract/wire.h"

namespace tilelab::judge {

/// A text in a reply, cut at the first NUL and made printable: it comes from the submission's
/// process.
inline std::string text_in(std::span<const char> member) {
  std::string text(member.data(), strnlen(member.data(), member.size()));
  std::replace_if(
      text.begin(), text.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  return text;
}

/// The text that explains a reply.
inline std::string text_of(const wire::Reply& reply) { return text_in(reply.text); }

}  // namespace tilelab::judge
