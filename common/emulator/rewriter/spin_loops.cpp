#include "spin_loops.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

namespace tilelab::rewriter {
namespace {

/// How far a search goes. A longer loop than this waits for nobody.
constexpr std::size_t most_tokens = 1000;

/// A call that returns true.
constexpr const char* turn = "::tilelab::emulator::spin()";

/// What a loop waits for is what it reads between the turn and this.
constexpr const char* end_of_turn = "::tilelab::emulator::polled(static_cast<bool>(";

/// Whether a thread that uses this word in a loop may wait there for another.
bool is_about_waiting(const Token& token) {
  constexpr std::array words = {"volatile", "__nanosleep", "__ldcg", "__ldcv", "load", "wait"};
  if (token.kind != Kind::identifier) return false;
  return token.text.starts_with("atomic") || token.text.starts_with("__threadfence") ||
         std::find(words.begin(), words.end(), token.text) != words.end();
}

/// The tokens [begin, end).
struct Part {
  std::size_t begin;
  std::size_t end;
};

class SpinLoopRewriter {
 public:
  explicit SpinLoopRewriter(EditedText& text)
      : text_(text), tokens_(text.tokens()), closing_(text.closing()) {
    has_volatile_ = std::any_of(tokens_.begin(), tokens_.end(), [](const Token& token) {
      return token.is_user_code && token.is("volatile");
    });
  }

  void run() {
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (!token.is_user_code || token.kind != Kind::identifier) continue;
      if (token.is("do")) rewrite_do(i);
      if (token.is("while") && !ends_of_do_.contains(i)) rewrite_while(i);
      if (token.is("for")) rewrite_for(i);
    }
  }

 private:
  bool opens(std::size_t i, std::string_view bracket) const {
    return i < tokens_.size() && tokens_[i].is(bracket) && closing_[i] != 0;
  }

  /// The first `;` from `begin` on that is in no brackets.
  std::size_t find_semicolon(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < std::min(end, begin + most_tokens); ++i) {
      if (tokens_[i].is(";")) return i;
      if (closing_[i] != 0) i = closing_[i];
    }
    return nowhere;
  }

  /// The statement that begins there, without its braces or its `;`.
  Part statement(std::size_t begin) const {
    if (opens(begin, "{")) return {begin + 1, closing_[begin]};
    const std::size_t end = find_semicolon(begin, tokens_.size());
    return {begin, end != nowhere ? end : begin};
  }

  /// Whether this holds for a token of a part, which is not searched any further than others.
  template <class Predicate>
  bool any_in(Part part, Predicate predicate) const {
    const auto begin = tokens_.begin() + static_cast<std::ptrdiff_t>(part.begin);
    const auto count = std::min(part.end - part.begin, most_tokens);
    return std::any_of(begin, begin + static_cast<std::ptrdiff_t>(count), predicate);
  }

  bool may_wait(Part condition, Part body) const {
    return has_volatile_ || body.begin == body.end || any_in(condition, is_about_waiting) ||
           any_in(body, is_about_waiting);
  }

  /// Adds the turn to a condition, unless it declares a variable.
  void add_turn(Part condition) {
    if (condition.begin == condition.end) return text_.insert_before(condition.end, turn);
    const bool is_declaration = condition.begin + 1 < condition.end &&
                                tokens_[condition.begin].kind == Kind::identifier &&
                                tokens_[condition.begin + 1].kind == Kind::identifier;
    if (is_declaration) return;
    text_.insert_before(condition.begin, std::string(turn) + " && " + end_of_turn + "(");
    text_.insert_before(condition.end, ")))");
  }

  /// Whether a statement only orders memory or passes the time.
  bool is_pause(Part part) const {
    const Token& first = tokens_[part.begin];
    if (!first.is("__nanosleep") && !first.text.starts_with("__threadfence")) return false;
    return opens(part.begin + 1, "(") && closing_[part.begin + 1] + 1 == part.end;
  }

  /// The place where a body assigns to a variable of the condition, if it does nothing else: what
  /// it reads then is what the loop waits for, as in `while (flag == 0) flag = flags[b];`.
  std::size_t find_poll(Part condition, Part body) const {
    std::size_t found = nowhere;
    for (std::size_t begin = body.begin; begin < body.end;) {
      const std::size_t end = std::min(find_semicolon(begin, body.end), body.end);
      if (found == nowhere && find_assigned({begin, end}, condition) == begin) {
        found = begin;
      } else if (begin < end && !is_pause({begin, end})) {
        return nowhere;
      }
      begin = end + 1;
    }
    return found;
  }

  /// Where a part assigns to a variable of the condition or declares it, as `int flag = flags[b]`.
  std::size_t find_assigned(Part part, Part condition) const {
    for (std::size_t i = part.begin; i + 1 < part.end; ++i) {
      const Token& token = tokens_[i];
      if (tokens_[i + 1].is("=")) {
        return token.kind == Kind::identifier && has_word(condition, token.text) ? i : nowhere;
      }
      if (token.kind != Kind::identifier && !token.is_any({"::", "<", ">", "*"})) return nowhere;
    }
    return nowhere;
  }

  bool has_comma(Part part) const {
    for (std::size_t i = part.begin; i < part.end; ++i) {
      if (tokens_[i].is(",")) return true;
      if (closing_[i] != 0) i = closing_[i];
    }
    return false;
  }

  /// Adds the turn to what a variable of the condition gets there: the loop waits for that, too.
  void add_turn_to_assigned(Part part, Part condition) {
    const std::size_t name = find_assigned(part, condition);
    if (name == nowhere || has_comma(part)) return;
    text_.insert_before(name + 2, std::string("(") + turn + ", ");
    text_.insert_before(part.end, ")");
  }

  /// The statement that ends right before a token, without its `;`.
  Part statement_before(std::size_t end) const {
    if (end == 0 || !tokens_[end - 1].is(";")) return {end, end};
    std::size_t begin = end - 1;
    while (begin > 0 && end - begin < most_tokens && !tokens_[begin - 1].is_any({";", "{", "}"})) {
      --begin;
    }
    return {begin, end - 1};
  }

  bool has_word(Part part, std::string_view word) const {
    return any_in(part, [&](const Token& token) {
      return token.kind == Kind::identifier && token.text == word;
    });
  }

  /// Whether a statement is `++i`, `i--`, or the like.
  bool is_step(Part part) const {
    if (part.end - part.begin != 3) return false;
    const std::size_t sign = part.begin + (tokens_[part.begin].kind == Kind::identifier ? 1 : 0);
    const std::size_t name = sign == part.begin ? part.begin + 2 : part.begin;
    return tokens_[sign].is_any({"+", "-"}) && tokens_[sign + 1].text == tokens_[sign].text &&
           tokens_[name].kind == Kind::identifier;
  }

  enum class NextRound { is_other, is_next, is_same };

  /// Whether a statement does nothing but pause and begin the next round, and whether it takes back
  /// the step of a loop that counts, so that this round comes again.
  NextRound next_round(Part part) const {
    NextRound round = NextRound::is_next;
    std::size_t begin = part.begin;
    for (std::size_t end; begin < part.end; begin = end + 1) {
      end = std::min(find_semicolon(begin, part.end), part.end);
      if (tokens_[begin].is("continue")) return round;
      if (is_step({begin, end})) {
        round = NextRound::is_same;
      } else if (!is_pause({begin, end})) {
        return NextRound::is_other;
      }
    }
    return NextRound::is_other;
  }

  /// Adds turns to rounds that begin anew because of what they have just read: `flag = flags[b];
  /// if (flag == 0) continue;`, or `if (flag != 0) { ... }` at their end.
  void add_turns_to_repeated_rounds(Part body, bool counts = false) {
    const std::size_t end = std::min(body.end, body.begin + most_tokens);
    for (std::size_t i = body.begin; i + 1 < end; ++i) {
      if (!tokens_[i].is("if") || !opens(i + 1, "(")) continue;
      const Part condition{i + 2, closing_[i + 1]};
      const Part inner = statement(condition.end + 1);
      const bool is_last = inner.end + 1 == body.end;
      const NextRound round = next_round(inner);
      const bool comes_again =
          counts ? round == NextRound::is_same : is_last || round != NextRound::is_other;
      if (has_declaration(condition) || !comes_again) continue;
      if (!repeated_.insert(i).second) continue;
      const Part before = statement_before(i);
      if (reads_array(condition)) add_turn(condition);
      if (reads_array(condition) || !has_repeated_assignment(before, condition)) continue;
      add_turn_to_assigned(before, condition);
      text_.insert_before(condition.begin, end_of_turn);
      text_.insert_before(condition.end, "))");
    }
  }

  /// Whether a part assigns what it reads from an array to a variable of the condition.
  bool has_repeated_assignment(Part part, Part condition) const {
    return find_assigned(part, condition) != nowhere && !has_comma(part) && reads_array(part);
  }

  /// Whether a condition may declare a variable: it has a `;` or a `=` that compares nothing.
  bool has_declaration(Part part) const {
    for (std::size_t i = part.begin; i < part.end; ++i) {
      if (tokens_[i].is(";")) return true;
      if (!tokens_[i].is("=")) continue;
      if (tokens_[i + 1].is("=")) {
        ++i;
      } else if (!tokens_[i - 1].is_any({"!", "<", ">"})) {
        return true;
      }
    }
    return false;
  }

  bool reads_array(Part part) const {
    return any_in(part, [](const Token& token) { return token.is("[") || token.is("*"); });
  }

  /// @param before  the statement before the loop
  void add_turns(Part condition, Part body, Part before) {
    if (!may_wait(condition, body)) return;
    add_turn(condition);
    add_turns_to_repeated_rounds(body);
    const std::size_t poll = find_poll(condition, body);
    if (poll == nowhere) return;
    text_.insert_before(poll, std::string(turn) + ", ");
    add_turn_to_assigned(before, condition);
  }

  void rewrite_while(std::size_t loop) {
    if (!opens(loop + 1, "(")) return;
    const Part condition{loop + 2, closing_[loop + 1]};
    add_turns(condition, statement(condition.end + 1), statement_before(loop));
  }

  void rewrite_do(std::size_t loop) {
    const Part body = statement(loop + 1);
    const std::size_t end = body.end + 1;
    if (end >= tokens_.size() || !tokens_[end].is("while") || !opens(end + 1, "(")) return;
    ends_of_do_.insert(end);
    add_turns({end + 2, closing_[end + 1]}, body, {loop, loop});
  }

  /// A `for` loop that counts waits for nobody, unless it takes a step back. One without a
  /// condition may, and one without a body.
  void rewrite_for(std::size_t loop) {
    if (!opens(loop + 1, "(")) return;
    const std::size_t close = closing_[loop + 1];
    const std::size_t first = find_semicolon(loop + 2, close);
    if (first == nowhere) return;
    const std::size_t second = find_semicolon(first + 1, close);
    if (second == nowhere) return;
    const Part condition{first + 1, second};
    const Part body = statement(close + 1);
    const bool is_endless = condition.begin == condition.end;
    if (body.begin != body.end && !may_wait(condition, body)) return;
    if (body.begin != body.end && !is_endless) return add_turns_to_repeated_rounds(body, true);
    add_turn(condition);
    add_turns_to_repeated_rounds(body);
    if (body.begin != body.end) return;
    add_turn_to_assigned({loop + 2, first}, condition);
    add_turn_to_assigned({second + 1, close}, condition);
  }

  EditedText& text_;
  const std::vector<Token>& tokens_;
  const std::vector<std::size_t>& closing_;
  std::set<std::size_t> ends_of_do_;  // the `while` of each `do`
  std::set<std::size_t> repeated_;    // each `if` that has a turn, since loops lie in loops
  bool has_volatile_ = false;
};

}  // namespace

void rewrite_spin_loops(EditedText& text) { SpinLoopRewriter(text).run(); }

}  // namespace tilelab::rewriter
