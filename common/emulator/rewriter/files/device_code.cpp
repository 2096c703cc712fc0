#include "files/device_code.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "text/lexer.h"
#include "text/outline.h"

namespace tilelab::rewriter {
namespace {

/// One of the two texts.
class Pass {
 public:
  Pass(std::string_view text, std::string_view source)
      : text_(tokenize(text, source)),
        outline_(outline_of(text_.tokens)),
        closing_(closing_brackets(text_.tokens)) {}

  const std::vector<Function>& functions() const { return outline_.functions; }
  const std::vector<Token>& tokens() const { return text_.tokens; }
  std::string_view trailing() const { return text_.trailing; }

  /// The place and name of a function, and which one of that place and name it is.
  using Key = std::tuple<std::string_view, unsigned, std::string_view, int>;
  std::map<Key, const Function*> by_place() const {
    std::map<Key, const Function*> result;
    for (const Function& function : functions()) {
      const Token& name = text_.tokens[function.name_token];
      for (int number = 0;; ++number) {
        if (result.try_emplace({name.file, name.line, function.name, number}, &function).second) {
          break;
        }
      }
    }
    return result;
  }

  /// The `{` of a function's body.
  std::optional<std::size_t> body(const Function& function) const {
    if (!function.has_body) return std::nullopt;
    for (std::size_t i = function.begin; i < function.end; ++i) {
      if (text_.tokens[i].is("{") && closing_[i] == function.end - 1) return i;
    }
    return std::nullopt;
  }

  /// The tokens [begin, end) as they were, after a marker that says where they are from.
  std::string text(std::size_t begin, std::size_t end) const {
    std::string result = marker(begin);
    for (std::size_t i = begin; i < end; ++i) {
      // The marker is for the token itself, not for what comes before it.
      if (i > begin) result += text_.tokens[i].leading;
      result += text_.tokens[i].text;
    }
    return result;
  }

  std::string marker(std::size_t token) const {
    const Token& at = text_.tokens[token];
    return "\n# " + std::to_string(at.line) + " \"" + std::string(at.file) + "\"\n";
  }

 private:
  TokenizedText text_;
  Outline outline_;
  std::vector<std::size_t> closing_;
};

class Merger {
 public:
  Merger(const Pass& host, const Pass& device) : host_(host), device_(device) {}

  std::string run() {
    const auto of_device = device_.by_place();
    for (const auto& [key, function] : host_.by_place()) {
      const auto found = of_device.find(key);
      if (found != of_device.end()) merge(*function, *found->second);
    }
    add_functions_of_device_alone();
    return print();
  }

 private:
  void merge(const Function& host, const Function& device) {
    if (host.is_host_code() || is_same(host, device)) return;
    if (host.is_device_code()) {
      replaced_[host.head] = {host.end, device_.text(device.head, device.end)};
      return;
    }
    const auto host_body = host_.body(host), device_body = device_.body(device);
    if (!host_body || !device_body) return;
    replaced_[*host_body] = {host.end, "{ if (::tilelab::emulator::is_device_code()) " +
                                           device_.text(*device_body, device.end) + " else " +
                                           host_.text(*host_body, host.end) + " }"};
  }

  bool is_same(const Function& host, const Function& device) const {
    const auto begin = host_.tokens().begin(), other = device_.tokens().begin();
    return std::equal(begin + static_cast<std::ptrdiff_t>(host.head),
                      begin + static_cast<std::ptrdiff_t>(host.end),
                      other + static_cast<std::ptrdiff_t>(device.head),
                      other + static_cast<std::ptrdiff_t>(device.end),
                      [](const Token& a, const Token& b) { return a.text == b.text; });
  }

  /// They come before the next function that both texts have in the same class.
  void add_functions_of_device_alone() {
    const auto of_host = host_.by_place();
    std::string waiting;
    std::string_view class_name;
    for (const auto& [key, function] : in_order(device_)) {
      const auto found = of_host.find(key);
      if (found == of_host.end()) {
        if (!function->spaces.device && !function->spaces.kernel) continue;
        if (function->class_name != class_name) waiting.clear();
        class_name = function->class_name;
        waiting += device_.text(function->head, function->end);
      } else if (!waiting.empty() && found->second->class_name == class_name) {
        added_[found->second->head] += waiting;
        waiting.clear();
      }
    }
  }

  static std::vector<std::pair<Pass::Key, const Function*>> in_order(const Pass& pass) {
    const auto places = pass.by_place();
    std::vector<std::pair<Pass::Key, const Function*>> result(places.begin(), places.end());
    std::sort(result.begin(), result.end(),
              [](const auto& a, const auto& b) { return a.second->head < b.second->head; });
    return result;
  }

  std::string print() const {
    const std::vector<Token>& tokens = host_.tokens();
    std::string result;
    for (std::size_t i = 0; i < tokens.size();) {
      result += tokens[i].leading;
      if (const auto added = added_.find(i); added != added_.end()) {
        result += added->second + host_.marker(i);
      }
      const auto found = replaced_.find(i);
      if (found == replaced_.end()) {
        result += tokens[i++].text;
        continue;
      }
      result += found->second.text;
      i = found->second.end;
      if (i < tokens.size()) result += host_.marker(i - 1);
    }
    return result + std::string(host_.trailing());
  }

  struct Replacement {
    std::size_t end;
    std::string text;
  };

  const Pass& host_;
  const Pass& device_;
  std::map<std::size_t, Replacement> replaced_;  // by the first token of the host's text
  std::map<std::size_t, std::string> added_;     // before this token
};

}  // namespace

std::string with_device_code(std::string_view host, std::string_view device,
                             std::string_view source) {
  return Merger(Pass(host, source), Pass(device, source)).run();
}

}  // namespace tilelab::rewriter
