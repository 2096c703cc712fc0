// Sentences about instructions that are not known.

#include "estimator/execution/unknown.h"

#include <algorithm>
#include <array>
#include <regex>
#include <string>

namespace tilelab::estimator {

namespace {

/// What instructions are for whose names mean nothing to who wrote the kernel.
struct Purpose {
  const char* names;  ///< a regular expression
  const char* what;
};
constexpr std::array purposes = {
    Purpose{"[A-Z]?G?MMA|LDSM|STSM|MOVM", "tensor cores"},
    Purpose{"LEPC", "calls such as printf(), assert() and malloc() in a kernel"},
    Purpose{"BPT", "__trap() and its like"},
    Purpose{"SYNCS", "barriers in shared memory"},
    Purpose{"UBLK.*|UTMA.*|UBMSK.*", "bulk copies"},
    Purpose{"UCGABAR.*", "clusters"},
    Purpose{"TEX|TLD|TLD4|TXD|TXQ|TMML", "textures"},
    Purpose{"SULD|SUST|SUATOM|SURED|SUQUERY", "surfaces"},
};

}  // namespace

Unknown unknown_instruction(const Instruction& one) {
  const std::string with_modifiers = one.text.substr(0, one.text.find(' '));
  const std::string mnemonic = with_modifiers.substr(0, with_modifiers.find('.'));
  if (mnemonic == "NANOSLEEP") return Unknown("its threads sleep, for a time that nobody knows");
  const std::string name = "the instruction " + with_modifiers;
  const auto* const found = std::ranges::find_if(purposes, [&](const Purpose& it) {
    return std::regex_match(mnemonic, std::regex(it.names));
  });
  if (found == purposes.end()) return Unknown("the estimate does not know " + name);
  return Unknown(std::string("the estimate does not know ") + found->what + ", which " + name +
                 " is for");
}

Unknown unknown_register(const Instruction& one) {
  const auto reads = [&](const char* name) { return one.text.find(name) != std::string::npos; };
  if (reads("SR_CLOCK") || reads("TIMER")) {
    return Unknown("it reads the GPU's clock, and may do something else at another time");
  }
  if (reads("SR_VIRTUALSMID") || reads("SR_VIRTID")) {
    return Unknown("it asks where on the GPU it runs, and may do something else elsewhere");
  }
  return Unknown("nobody knows what it reads by the instruction " + one.text);
}

}  // namespace tilelab::estimator
