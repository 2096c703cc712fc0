// compile.sh: what it refuses, what it says, and which files it leaves.

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "judge/catch.h"
#include "run_command.h"

namespace {

std::string compile_command(const std::string& source, const std::string& object) {
  return std::string(COMPILE_SCRIPT) + " " + COMPILER + " " + REWRITER + " " + source + " " +
         object;
}

std::string first_line(const std::filesystem::path& file) {
  std::string line;
  std::getline(std::ifstream(file), line);
  return line;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t files_in(const std::string& folder) {
  const auto files = std::filesystem::directory_iterator(folder);
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

/// One line for each class, which is in a namespace with a variable in shared memory.
std::string shared_variables(const std::vector<std::string>& classes, const std::string& variable) {
  std::string text;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    text += "namespace n" + std::to_string(i) + " { " + classes[i] +
            " __global__ void k(int* p) { __shared__ " + variable + "; *p = 0; } }\n";
  }
  return text;
}

}  // namespace

// The first line of each file says what to expect: `// LINE: words of the message`.
TEST_CASE("what is not supported fails to compile, with its name and line") {
  const TemporaryFolder folder;
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(REFUSED_FOLDER)) {
    const std::string expected = first_line(entry.path()).substr(3);
    const std::string place =
        entry.path().filename().string() + ":" + expected.substr(0, expected.find(':'));
    const std::string words = expected.substr(expected.find(':') + 2);
    const auto result = run_command(compile_command(entry.path(), folder.path() + "/refused.o"));
    INFO(entry.path() << "\nexpected " << place << " and \"" << words << "\" in\n"
                      << result.output);
    REQUIRE(result.status == 1);
    REQUIRE(contains(result.output, place));
    REQUIRE(contains(result.output, words));
    REQUIRE(files_in(folder.path()) == 0);
    ++files;
  }
  REQUIRE(files >= 20);
}

TEST_CASE("compiling leaves the object and nothing else, and needs no other writable folder") {
  const TemporaryFolder folder;
  const std::string source =
      folder.write("ok.cu", "__global__ void k() {}\nvoid f() { k<<<1, 1>>>(); }\n");
  const auto result =
      run_command("TMPDIR=/nowhere " + compile_command(source, folder.path() + "/ok.o"));
  INFO(result.output);
  REQUIRE(result.status == 0);
  REQUIRE(result.output.empty());
  REQUIRE(files_in(folder.path()) == 2);
}

TEST_CASE("compile errors name the source as it was given, with its own line numbers") {
  const TemporaryFolder folder;
  folder.write("bad.cu",
               "#include <cstdio>\n__global__ void k(int* p) {\n  __shared__ int\n    tile[4];\n"
               "  tile[0] = undefined_name;\n}\nvoid f() {\n  k<<<1,\n     1>>>(1.5f);\n}\n");
  const auto result =
      run_command("cd " + folder.path() + " && " + compile_command("bad.cu", "bad.o"));
  INFO(result.output);
  REQUIRE(result.status != 0);
  REQUIRE(contains(result.output, "bad.cu:5: error:"));
  REQUIRE(contains(result.output, "undefined_name"));
  REQUIRE(
      (contains(result.output, "bad.cu:9: error:") || contains(result.output, "bad.cu:8: error:")));
  REQUIRE(!std::filesystem::exists(folder.path() + "/bad.o"));
}

TEST_CASE("a constructor that would have to run for shared memory gets a warning") {
  // What nvcc 13 says of them.
  const std::vector<std::string> warned = {
      "struct S { int x; DEVICE S() { x = 1; } };",
      "struct S { int x; DEVICE S() : x(1) {} };",
      "struct S { int x; DEVICE S(int n = 2) : x{n} {} };",
      "struct S { int x; DEVICE S(); };",
      "struct S { int x; DEVICE S(int n = 2) {} };",
      "class S { public: int y, x = 3; };",
      "struct S { int x = 4; DEVICE S() {} };",
      "struct S { int x; DEVICE ~S() { x = 2; } };",
      "struct S { int x; DEVICE virtual int get() { return x; } };",
      "struct B { int x = 3; }; struct S : B { int y; };",
      "struct B { int y, x = 3; }; struct S { B b[2]; DEVICE int get() { return b[0].x; } };",
      "template <class T> struct V { T y; T x = 3; }; using S = V<int>;"};
  const std::vector<std::string> others = {
      "struct S { int x; DEVICE S() {} };",
      "struct S { int x; S() = default; };",
      "struct S { int x; DEVICE S(); }; DEVICE S::S() {}",
      "struct S { int x{3}; };",
      "struct S { int x; constexpr DEVICE S() : x(1) {} };",
      "struct S { int x; S() = default; DEVICE S(int n) : x(n) {} };",
      "template <class T> struct V { T x = 3; }; using S = V<int>;",
      "struct S { static constexpr int n = 3; int x[n]; DEVICE int get() const { return x[0]; } "
      "};",
      "struct S { enum { n = 3 }; int x; S* next; DEVICE S& operator=(const S&) = default; };",
      "struct S { int x; DEVICE bool operator==(const S& o) const { return x == o.x; } };",
      "struct B { int x = 3; }; struct S { B* b; int y; };",
      "using S = float4;"};
  const TemporaryFolder folder;
  const auto output_of = [&](const std::string& text) {
    const std::string source = folder.write("shared.cu", "#define DEVICE __device__\n" + text);
    const auto result = run_command(compile_command(source, folder.path() + "/shared.o"));
    INFO(text << '\n' << result.output);
    REQUIRE(result.status == 0);
    return result.output;
  };
  const std::string off = "#pragma nv_diag_suppress static_var_with_dynamic_init\n";
  REQUIRE(output_of(shared_variables(others, "S one")).empty());
  REQUIRE(output_of(shared_variables(warned, "S* pointer")).empty());
  REQUIRE(output_of(off + shared_variables(warned, "S one")).empty());
  for (const std::string variable : {"S one", "S some[4]"}) {
    const std::string output = output_of(shared_variables(warned, variable));
    for (std::size_t i = 0; i < warned.size(); ++i) {
      INFO(warned[i] << '\n' << output);
      REQUIRE(contains(output, "shared.cu:" + std::to_string(i + 2) +
                                   ": warning: dynamic initialization is not supported for a "
                                   "__shared__ variable"));
    }
  }
}

TEST_CASE("of classes with one name in several scopes, the one that is meant counts") {
  const TemporaryFolder folder;
  const std::string classes =
      "namespace one { struct S { int x; DEVICE S() { x = 1; } }; }\n"
      "namespace two { struct S { int x; }; inline namespace now { struct V { int y, x = 3; }; } "
      "}\n"
      "namespace one::deep { using T = two::S; }\n"
      "struct Outer { struct S { int x; }; struct T { int x; DEVICE T(int n = 2) : x(n) {} }; };\n";
  const auto is_warned = [&](const std::string& kernel) {
    const std::string source =
        folder.write("scopes.cu", "#define DEVICE __device__\n" + classes + kernel);
    const auto result = run_command(compile_command(source, folder.path() + "/scopes.o"));
    INFO(kernel << '\n' << result.output);
    REQUIRE(result.status == 0);
    return contains(result.output, "warning: dynamic initialization");
  };
  for (const char* variable :
       {"one::S s", "::one::S s", "two::V s", "two::now::V s", "Outer::T s", "one::S s[4]"}) {
    CHECK(is_warned("__global__ void k() { __shared__ " + std::string(variable) + "; }"));
  }
  for (const char* variable :
       {"two::S s", "::two::S s", "one::deep::T s", "Outer::S s", "two::S s[4]"}) {
    CHECK_FALSE(is_warned("__global__ void k() { __shared__ " + std::string(variable) + "; }"));
  }
  CHECK(is_warned("namespace one { __global__ void k() { __shared__ S s; } }"));
  CHECK_FALSE(is_warned("namespace two { __global__ void k() { __shared__ S s; } }"));
  CHECK(is_warned("using namespace one; __global__ void k() { __shared__ S s; }"));
  CHECK_FALSE(is_warned("using two::S; __global__ void k() { __shared__ S s; }"));
  CHECK(is_warned("using one::S; __global__ void k() { __shared__ S s; }"));
  CHECK_FALSE(
      is_warned("using namespace one;\n"
                "__global__ void k() { struct S { int x; }; __shared__ S s; }"));
  CHECK_FALSE(
      is_warned("namespace { struct S { int x; }; }\n"
                "__global__ void k() { __shared__ S s; }\n"
                "namespace one { __global__ void l() { __shared__ ::S s; } }"));
  CHECK_FALSE(
      is_warned("namespace three { struct S { int x; DEVICE S(); }; DEVICE S::S() {}\n"
                "__global__ void k() { __shared__ S s; } }\n"
                "namespace four { struct S { int x; DEVICE S(); }; DEVICE S::S() { x = 1; } }"));
  CHECK(
      is_warned("namespace three { struct S { int x; DEVICE S(); }; DEVICE S::S() {} }\n"
                "namespace four { struct S { int x; DEVICE S(); }; DEVICE S::S() { x = 1; }\n"
                "__global__ void k() { __shared__ S s; } }"));
}

TEST_CASE("a missing source is an error") {
  const TemporaryFolder folder;
  const auto result =
      run_command(compile_command(folder.path() + "/none.cu", folder.path() + "/o"));
  REQUIRE(result.status != 0);
}

std::string edited_assembly(const std::string& machine, const std::string& text) {
  const TemporaryFolder folder;
  const std::string assembly = folder.write("k.s", text);
  const std::string script =
      std::filesystem::path(COMPILE_SCRIPT).parent_path() / "observer/hooks/edit_assembly.awk";
  const auto result = run_command("awk -v machine=" + machine + " -f " + script + " " + assembly);
  INFO(result.output);
  REQUIRE(result.status == 0);
  return result.output;
}

TEST_CASE("reads of a kernel's built-in variables are not reported, and all others are") {
  const std::string hook = "\tcall\t__tsan_read4@PLT\n";
  const std::string own = "\tleaq\tthreadIdx_of_mine(%rip), %rdi\n" + hook;
  const std::string apart = "\tleaq\tblockDim(%rip), %rdi\n\tmovl\t%eax, %ebx\n" + hook;
  const std::string store = "\tleaq\tgridDim(%rip), %rdi\n\tcall\t__tsan_write4@PLT\n";
  const std::string read = "\tmovl\t4+threadIdx(%rip), %eax\n";
  const std::string text = "\t.text\nkernel:\n" + own + apart + store;
  const std::string dropped = "\tleaq\t4+threadIdx(%rip), %rdi\n" + hook;
  REQUIRE(edited_assembly("x86_64", text + dropped + read) == text + read);
}

// The assembly of a checked build for AArch64, cut to what the script reads.
TEST_CASE("on AArch64 the table of shared variables has instructions that the linker fills in") {
  const std::string output = edited_assembly("aarch64",
                                             "\t.section\t.tbss,\"awT\",@nobits\n"
                                             "tile:\n\t.zero\t512\n"
                                             "count:\n\t.word\t0\n"
                                             "\t.text\nkernel:\n\tret\n");
  REQUIRE(contains(output, "count:\n\t.word\t0\n\t.zero\t64\n"));
  const std::string table = output.substr(output.find("tilelab_shared"));
  const auto entry = [](const std::string& name, int bytes) {
    return "\tadd\tx0, x0, #:tprel_hi12:" + name +
           ", lsl #12\n\tadd\tx0, x0, #:tprel_lo12_nc:" + name + "\n\t.quad\t" +
           std::to_string(bytes) + "\n";
  };
  REQUIRE(contains(table, entry("tile", 512)));
  REQUIRE(contains(table, entry("count", 4)));
}
