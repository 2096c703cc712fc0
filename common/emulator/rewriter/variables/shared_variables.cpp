#include "variables/shared_variables.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "variables/constructors.h"

namespace tilelab::rewriter {
namespace {

constexpr const char* size_limit = "49152";

/// One declaration: specifiers, marker, more specifiers and the type, declarators, `;`.
struct Declaration {
  std::size_t begin;  ///< The first specifier.
  std::size_t marker;
  std::size_t end;  ///< The `;`.
  bool is_extern = false;
  bool has_initializer = false;
  std::optional<std::size_t> name;  ///< The last declarator's name.
  std::vector<std::size_t> names;   ///< Those of the declarators before it.
};

bool is_specifier(const Token& token) {
  return token.kind == Kind::identifier &&
         token.is_any({"extern", "static", "const", "volatile", "inline", "__constinit"});
}

bool names_class(const Token& token) { return token.is_any({"struct", "union", "class", "enum"}); }

class SharedRewriter {
 public:
  SharedRewriter(EditedText& text, const KernelNotes& kernel_notes, Diagnostics& diagnostics)
      : text_(text),
        tokens_(text.tokens()),
        kernel_notes_(kernel_notes),
        diagnostics_(diagnostics),
        constructors_(text.tokens()) {}

  void run() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].is_user_code && is_shared_word(tokens_[i])) rewrite(i);
    }
  }

 private:
  void rewrite(std::size_t marker) {
    const std::optional<Declaration> declaration = parse(marker);
    if (!declaration) {
      error(marker, "__shared__ must be part of a variable's declaration");
    } else if (declaration->has_initializer) {
      error(marker,
            "a __shared__ variable cannot have an initializer: let the threads initialize it");
    } else if (declaration->is_extern) {
      rewrite_dynamic(*declaration);
    } else {
      rewrite_static(*declaration);
    }
  }

  void error(std::size_t token, const char* sentence) {
    diagnostics_.error(tokens_[token].file, tokens_[token].line, sentence);
  }

  std::optional<Declaration> parse(std::size_t marker) const {
    Declaration result{marker, marker, 0, false, false, std::nullopt, {}};
    while (result.begin > 0 && is_specifier(tokens_[result.begin - 1])) --result.begin;
    result.begin = std::min(result.begin, extern_before(marker).value_or(marker));
    for (std::size_t i = result.begin; i < marker; ++i) {
      result.is_extern = result.is_extern || tokens_[i].is("extern");
    }
    int depth = 0;
    int angles = 0;
    bool has_class = false;
    for (std::size_t i = marker + 1; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      // Another marker before the end: this is no declaration. The next search starts there.
      if (is_shared_word(token)) return std::nullopt;
      if (depth == 0 && token.is(";")) {
        result.end = i;
        return result;
      }
      if (depth == 0 && token.kind == Kind::identifier) {
        result.is_extern = result.is_extern || token.is("extern");
        has_class = has_class || names_class(token);
        if (angles == 0 && !token.is("__attribute__")) result.name = i;
      }
      if (depth == 0 && token.is("{") && !has_class) result.has_initializer = true;
      if (depth == 0 && token.is("=")) result.has_initializer = true;
      if (depth == 0 && token.is("<")) ++angles;
      if (depth == 0 && token.is(">")) --angles;
      if (depth == 0 && angles == 0 && token.is(",") && result.name) {
        result.names.push_back(*result.name);
      }
      if (token.is("(") || token.is("[") || token.is("{")) ++depth;
      if (token.is(")") || token.is("]") || token.is("}")) --depth;
      if (depth < 0) return std::nullopt;
    }
    return std::nullopt;
  }

  /// The `extern` of `extern float __shared__ tile[]`, where the type comes first.
  std::optional<std::size_t> extern_before(std::size_t marker) const {
    for (std::size_t i = marker; i > 0; --i) {
      const Token& token = tokens_[i - 1];
      if (token.is("extern")) return i - 1;
      if (is_shared_word(token)) break;
      const bool is_type = token.kind == Kind::identifier || token.is("::") || token.is("<") ||
                           token.is(">") || token.is(",");
      if (!is_type) break;
    }
    return std::nullopt;
  }

  /// The end of `word(...)` or `word((...))` that begins at `i`.
  std::size_t end_of_call(std::size_t i, std::size_t limit) const {
    int depth = 0;
    for (++i; i < limit; ++i) {
      if (tokens_[i].is("(")) ++depth;
      if (tokens_[i].is(")") && --depth == 0) return i + 1;
    }
    return limit;
  }

  void rewrite_static(const Declaration& declaration) {
    using Work = Constructors::Work;
    if (declaration.name) {
      const Work work = constructors_.work_for(declaration.marker + 1, *declaration.name);
      if (work == Work::dynamic) warn_of_constructor(declaration.marker);
      if (work != Work::nothing && declaration.names.empty()) {
        return rewrite_unconstructed(declaration);
      }
    }
    text_.replace(declaration.marker, watched(declaration.marker) + "thread_local");
    text_.insert_before(declaration.begin, take_alignment(declaration));
    if (!declaration.name) return;
    const std::string name(tokens_[*declaration.name].text);
    text_.replace(declaration.end,
                  "; static_assert(sizeof(" + name + ") <= " + size_limit +
                      ", \"a __shared__ variable is larger than the 48 KiB that a block has\");" +
                      kernel_notes_.sizes_of(declaration.marker, names_of(declaration)) +
                      notes(declaration));
  }

  bool is_watched(std::size_t marker) const {
    return tokens_[marker].is("tilelab_watched_shared_memory");
  }

  /// A variable that is watched is `used`: the compiler would take what nobody writes for zeros.
  std::string watched(std::size_t marker) const {
    return is_watched(marker) ? "__attribute__((used)) " : "";
  }

  /// Where the padding of its objects is, if it is watched.
  std::string notes(const Declaration& declaration) const {
    if (!is_watched(declaration.marker) || !constructors_.is_in_function(declaration.marker)) {
      return "";
    }
    std::string text;
    for (const std::string& name : names_of(declaration)) {
      text += " ::tilelab::emulator::note_shared_objects(" + name + ");";
    }
    return text;
  }

  std::vector<std::string> names_of(const Declaration& declaration) const {
    std::vector<std::string> names;
    for (const std::size_t name : declaration.names) names.emplace_back(tokens_[name].text);
    names.emplace_back(tokens_[*declaration.name].text);
    return names;
  }

  /// alignas() must not follow other specifiers, but CUDA allows it after __shared__.
  std::string take_alignment(const Declaration& declaration) {
    std::string alignment;
    for (std::size_t i = declaration.marker + 1; i < declaration.end;) {
      if (tokens_[i].is("{")) break;
      if (!tokens_[i].is("alignas")) {
        ++i;
        continue;
      }
      const std::size_t end = end_of_call(i, declaration.end);
      alignment += join(tokens_, i, end) + ' ';
      for (; i < end; ++i) text_.remove(i);
    }
    return alignment;
  }

  void warn_of_constructor(std::size_t marker) const {
    if (constructors_.are_expected()) return;
    Diagnostics::warning(tokens_[marker].file, tokens_[marker].line,
                         "dynamic initialization is not supported for a __shared__ variable: its "
                         "constructor does not run, so let a thread set its members");
  }

  /// A GPU runs no constructor of a shared object, so this is memory of its size.
  void rewrite_unconstructed(const Declaration& declaration) {
    const std::string name(tokens_[*declaration.name].text);
    const std::string type = "tilelab_type_of_" + name, bytes = "tilelab_object_" + name;
    for (std::size_t i = declaration.begin; i <= declaration.marker; ++i) text_.remove(i);
    text_.replace(declaration.begin, "typedef");
    text_.replace(*declaration.name, type);
    text_.replace(declaration.end, "; " + take_alignment(declaration) + "alignas(" + type +
                                       ") __attribute__((used)) thread_local unsigned char " +
                                       bytes + "[sizeof(" + type + ")]; " + type + "& " + name +
                                       " = reinterpret_cast<" + type + "&>(" + bytes + ");" +
                                       kernel_notes_.sizes_of(declaration.marker, {name}) +
                                       notes(declaration));
  }

  void rewrite_dynamic(const Declaration& declaration) {
    const bool is_array = declaration.name && tokens_[*declaration.name + 1].is("[");
    if (!is_array || !declaration.names.empty()) {
      error(declaration.marker,
            "extern __shared__ must declare one array, as in `extern __shared__ float tile[];`");
      return;
    }
    const std::string type = type_of(declaration);
    const std::string name(tokens_[*declaration.name].text);
    const std::string bounds = "[]" + bounds_of(declaration);
    for (std::size_t i = declaration.begin; i < declaration.end; ++i) text_.remove(i);
    // The compiler refuses a second type for the name of all these arrays, as nvcc does. A static
    // reference is bound when the program is linked, and lambdas need not capture it.
    text_.replace(declaration.begin, "extern " + type + " tilelab_extern_shared_" + name + bounds +
                                         "; static " + type + " (&" + name + ")" + bounds +
                                         " = reinterpret_cast<" + type + " (&)" + bounds +
                                         ">(::tilelab::emulator::dynamic_shared_memory);" +
                                         notes(declaration));
    text_.remove(declaration.end);
  }

  /// The array's bounds after the first, which nobody knows.
  std::string bounds_of(const Declaration& declaration) const {
    std::size_t begin = *declaration.name + 1;
    while (!tokens_[begin].is("]")) ++begin;
    std::size_t end = begin + 1;
    while (tokens_[end].is("[")) {
      while (!tokens_[end].is("]")) ++end;
      ++end;
    }
    return join(tokens_, begin + 1, end);
  }

  /// The element type: all specifiers except storage and alignment.
  std::string type_of(const Declaration& declaration) const {
    std::string type;
    for (std::size_t i = declaration.begin; i < *declaration.name;) {
      const Token& token = tokens_[i];
      if (token.is("alignas") || token.is("__attribute__")) {
        i = end_of_call(i, *declaration.name);
        continue;
      }
      const bool is_storage = token.is("extern") || token.is("static") || token.is("__constinit");
      if (!is_storage && i != declaration.marker) {
        if (!type.empty()) type += ' ';
        type += token.text;
      }
      ++i;
    }
    return type;
  }

  EditedText& text_;
  const std::vector<Token>& tokens_;
  const KernelNotes& kernel_notes_;
  Diagnostics& diagnostics_;
  Constructors constructors_;
};

}  // namespace

void rewrite_shared_variables(EditedText& text, const KernelNotes& kernel_notes,
                              Diagnostics& diagnostics) {
  SharedRewriter(text, kernel_notes, diagnostics).run();
}

}  // namespace tilelab::rewriter
