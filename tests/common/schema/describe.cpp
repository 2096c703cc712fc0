// Prints the schema of all streams as JSON, for a test that compares it with the package's records:
// {"version", "streams": {NAME: {TYPE: {FIELD: {"type", "required"}}}}}. A type is "text", "flag",
// "integer", "number", {"list": TYPE}, {"list": TYPE, "length": N}, {"map": TYPE}, or the fields of
// a record, {"record": {...}}.

#include <concepts>
#include <iostream>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>

#include "schema/estimate.h"
#include "schema/estimated_call.h"
#include "schema/fields.h"
#include "schema/json.h"
#include "schema/judgment.h"
#include "schema/program.h"
#include "schema/recording.h"

namespace {

using namespace tilelab::schema;

template <class T>
concept IsOptional = requires(const T& value) {
  value.has_value();
};
template <class T>
concept IsMap = requires {
  typename T::value_type::second_type;
};

template <class T>
std::string fields_of();

template <class T>
std::string type_of() {
  if constexpr (std::same_as<T, std::string>) {
    return "\"text\"";
  } else if constexpr (std::same_as<T, bool>) {
    return "\"flag\"";
  } else if constexpr (std::integral<T>) {
    return "\"integer\"";
  } else if constexpr (std::floating_point<T>) {
    return "\"number\"";
  } else if constexpr (IsRecord<T>) {
    return "{\"record\": " + fields_of<T>() + "}";
  } else if constexpr (IsOptional<T>) {
    return type_of<typename T::value_type>();
  } else if constexpr (IsMap<T>) {
    return "{\"map\": " + type_of<typename T::value_type::second_type>() + "}";
  } else if constexpr (requires { std::tuple_size<T>::value; }) {
    return "{\"length\": " + to_json(std::tuple_size_v<T>) +
           ", \"list\": " + type_of<typename T::value_type>() + "}";
  } else {
    return "{\"list\": " + type_of<typename T::value_type>() + "}";
  }
}

template <class T>
std::string fields_of() {
  std::string text;
  for_each_field<T>([&]<class Record, class Value>(const Field<Record, Value>& field) {
    text += (text.empty() ? "" : ", ") + to_json(field.name) +
            ": {\"required\": " + to_json(!IsOptional<Value>) + ", \"type\": " + type_of<Value>() +
            "}";
  });
  return "{" + text + "}";
}

template <class... Events>
std::string describe(const std::variant<Events...>&) {
  std::string text;
  ((text += (text.empty() ? "" : ", ") + to_json(Events::event) + ": " + fields_of<Events>()), ...);
  return "{" + text + "}";
}

}  // namespace

int main() {
  std::cout << "{\"version\": " << to_json(current_version) << ", \"streams\": {"  //
            << "\"judgment\": " << describe(Judgment{})                            //
            << ", \"program\": " << describe(ProgramEvent{})                       //
            << ", \"recording\": " << describe(Recording{})                        //
            << ", \"job\": " << describe(Job{})                                    //
            << ", \"stored_results\": " << describe(StoredResults{})               //
            << ", \"estimates\": " << describe(Estimates{})                        //
            << ", \"calibration\": " << describe(Calibration{}) << "}}\n";
}
