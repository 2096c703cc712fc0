#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>

/// The one list of every record's fields, from which its JSON, its bytes and the schema are made:
///
///     struct Tests {
///       static constexpr std::string_view event = "tests";
///       std::uint64_t count = 0;
///     };
///     TILELAB_FIELDS(Tests, count)
///
/// The type is there if a record can be a line of a stream.
namespace tilelab::schema {

/// A field of a record.
template <class Record, class Value>
struct Field {
  std::string_view name;  ///< The name in the source, and in JSON.
  Value Record::*member;  ///< The member itself.
};
template <class Record, class Value>
Field(std::string_view, Value Record::*) -> Field<Record, Value>;

/// Whether there is a list of T's fields.
template <class T>
concept IsRecord = requires(const T* record) {
  record_fields(record);
};

/// Whether T has such a type.
template <class T>
concept IsEvent = requires {
  T::event;
};

/// Whether a T is its bytes: a number, or an array of them.
template <class T>
inline constexpr bool is_plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;
template <class T, std::size_t n>
inline constexpr bool is_plain<std::array<T, n>> = is_plain<T>;

/// A tuple with each Field.
template <IsRecord T>
inline constexpr auto fields = record_fields(static_cast<const T*>(nullptr));

/// Calls action(field) for each field of a T.
template <IsRecord T, class Action>
constexpr void for_each_field(Action&& action) {
  std::apply([&](const auto&... field) { (action(field), ...); }, fields<T>);
}

}  // namespace tilelab::schema

// TILELAB_EACH(MACRO, a, b): MACRO(a), MACRO(b). For up to 85 names.
#define TILELAB_PARENTHESES ()
#define TILELAB_EACH(macro, ...) __VA_OPT__(TILELAB_AGAIN(TILELAB_FIRST(macro, __VA_ARGS__)))
#define TILELAB_FIRST(macro, a, ...) \
  macro(a) __VA_OPT__(, TILELAB_REST TILELAB_PARENTHESES(macro, __VA_ARGS__))
#define TILELAB_REST() TILELAB_FIRST
#define TILELAB_AGAIN(...) \
  TILELAB_AGAIN_3(TILELAB_AGAIN_3(TILELAB_AGAIN_3(TILELAB_AGAIN_3(__VA_ARGS__))))
#define TILELAB_AGAIN_3(...) \
  TILELAB_AGAIN_2(TILELAB_AGAIN_2(TILELAB_AGAIN_2(TILELAB_AGAIN_2(__VA_ARGS__))))
#define TILELAB_AGAIN_2(...) \
  TILELAB_AGAIN_1(TILELAB_AGAIN_1(TILELAB_AGAIN_1(TILELAB_AGAIN_1(__VA_ARGS__))))
#define TILELAB_AGAIN_1(...) __VA_ARGS__

#define TILELAB_FIELD(name) \
  ::tilelab::schema::Field { #name, &Self::name }

// The lists are templates, so that they cost nothing where nobody asks for them.

/// TILELAB_FIELDS(RECORD, NAMES...): lists all fields of a record, next to the record. If one is
/// missing, the list does not compile.
#define TILELAB_FIELDS(Record, ...)                                \
  template <std::same_as<Record> Self>                             \
  constexpr auto record_fields(const Self*) {                      \
    __VA_OPT__([[maybe_unused]] constexpr auto all = [](Self& v) { \
      [[maybe_unused]] auto& [__VA_ARGS__] = v;                    \
    };)                                                            \
    return std::tuple{TILELAB_EACH(TILELAB_FIELD, __VA_ARGS__)};   \
  }

/// TILELAB_MORE_FIELDS(RECORD, BASE, NAMES...): lists the fields of a record that has those of
/// another one, too.
#define TILELAB_MORE_FIELDS(Record, Base, ...)                                   \
  template <std::same_as<Record> Self>                                           \
  constexpr auto record_fields(const Self*) {                                    \
    return std::tuple_cat(record_fields(static_cast<const Base*>(nullptr)),      \
                          std::tuple{TILELAB_EACH(TILELAB_FIELD, __VA_ARGS__)}); \
  }
