#pragma once

#include <string_view>
#include <vector>

#include "text/lexer.h"

namespace tilelab::rewriter {

/// Where a function may run, as its declaration says. Without a word it runs on the host.
struct Spaces {
  bool host = false;
  bool device = false;
  bool kernel = false;
};

/// A declaration or definition of a function.
struct Function {
  std::string_view name;  ///< Without its class, namespace or template arguments.
  std::size_t name_token;
  Spaces spaces;
  std::string_view class_name;  ///< Empty outside of classes.
  std::size_t head;             ///< The first token, before any template parameters.
  std::size_t begin;            ///< The parenthesis before its parameters.
  std::size_t end;              ///< After its body or its `;`.
  bool has_body;

  bool is_device_code() const { return spaces.kernel || (spaces.device && !spaces.host); }
  bool is_host_code() const { return !spaces.kernel && !spaces.device; }
};

/// A variable at namespace scope, or a member of a class.
struct Variable {
  std::string_view name;
  std::size_t space_word;  ///< What makes it a variable of the device; `nowhere` without one.
  bool is_constant;
  bool is_array;
  bool is_static;

  /// Whether it is __device__, __constant__, __managed__ or __shared__.
  bool is_on_device() const { return space_word != nowhere; }
};

/// The functions and variables that user code declares outside of functions.
struct Outline {
  std::vector<Function> functions;
  std::vector<Variable> variables;
  std::vector<Variable> members;
};

/// Finds declarations without knowing types. What it does not understand is left out.
Outline outline_of(const std::vector<Token>& tokens);

bool is_template(const std::vector<Token>& tokens, const Function& function);

/// By opening token: its closing `)`, `]` or `}`. By any other: 0.
std::vector<std::size_t> closing_brackets(const std::vector<Token>& tokens);

/// By closing token: its opening `(`, `[` or `{`. By any other: `nowhere`.
std::vector<std::size_t> opening_brackets(const std::vector<std::size_t>& closing);

/// After the `>` that ends the template arguments which begin at `open`, or `open` if none does.
std::size_t after_template_arguments(const std::vector<Token>& tokens,
                                     const std::vector<std::size_t>& closing, std::size_t open);

}  // namespace tilelab::rewriter
