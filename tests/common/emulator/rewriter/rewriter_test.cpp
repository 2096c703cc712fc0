// The rewriter on texts that nobody would write by accident: it must end soon, and not by a signal.

#include <algorithm>
#include <chrono>

#include "judge/catch.h"
#include "run_command.h"

namespace {

/// Runs the rewriter on preprocessed text; fails if it crashes or takes long.
CommandResult rewrite(const std::string& text, const std::string& source = "") {
  const TemporaryFolder folder;
  const std::string source_file = folder.write("source.cu", source);
  const std::string input = folder.write("input", "# 1 \"" + source_file + "\"\n" + text);
  const auto start = std::chrono::steady_clock::now();
  const auto result = run_command(std::string(REWRITER) + " " + source_file + " < " + input);
  REQUIRE(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
  REQUIRE(result.status <= 1);
  return result;
}

std::string repeat(const std::string& piece, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += piece;
  return result;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("texts of many thousand tokens are rewritten in linear time") {
  // Quadratic time would be minutes.
  constexpr int pieces = 60'000;
  for (const char* piece : {"<",
                            ">",
                            "<<<",
                            "a<<<",
                            "a<<<(",
                            "a<<<1>>>(",
                            "while(1)",
                            "while(1){",
                            "do ",
                            "for(;;",
                            "(",
                            "f(",
                            ")",
                            "{",
                            "a<b>",
                            "a<",
                            "b> <<<",
                            "b>a<<<",
                            "tilelab_shared_memory ",
                            "extern tilelab_shared_memory ",
                            "tilelab_shared_memory(",
                            "::",
                            "a::",
                            "a.",
                            "\"",
                            "'",
                            "R\"(",
                            "R\"x(",
                            "\\",
                            "#",
                            "# 1 \"x\"\n",
                            "asm ",
                            "a<<<x;",
                            "static ",
                            "operator<<<",
                            "__global__ ",
                            "] __device__ ",
                            "struct a{",
                            "template<",
                            "void f(){",
                            "void f(){g();}",
                            "__device__ void f(){f();}",
                            "using ",
                            "struct a{}; tilelab_shared_memory a b;",
                            "alignas("}) {
    INFO(piece);
    rewrite(repeat(piece, pieces));
  }
}

TEST_CASE("unfinished texts end") {
  for (const char* text : {"\"unterminated",
                           "'u",
                           "R\"(never",
                           "R\"too_long_a_delimiter_for_cpp(x)\"",
                           "k<<<",
                           "k<<<1",
                           "k<<<1>>>",
                           "k<<<1>>>(",
                           "<<<1>>>(x)",
                           "x><<<1>>>(x)",
                           ")<<<1>>>(x)",
                           "tilelab_shared_memory",
                           "extern tilelab_shared_memory float x",
                           "alignas(",
                           "tilelab_shared_memory alignas(;",
                           "#",
                           "# 1",
                           "# 99999999999999999999 \"x\"",
                           "1e+",
                           "1'",
                           ".",
                           "\xff\xfe",
                           ""}) {
    INFO(text);
    rewrite(text);
    rewrite(std::string(text) + '\0' + text);
  }
}

TEST_CASE("what needs no rewriting comes out as it went in") {
  const std::string text =
      "int a = 1 << 2 >> 1;\n\n  const char* s = \"k<<<1, 1>>>(x) asm\";\n"
      "std::cout << x << R\"d(a<<<b>>>(c) __asm__)d\" << 1'000'000;\n"
      "#pragma unroll\nfriend ostream& operator<<<char>(ostream&);\n";
  const auto result = rewrite(text);
  INFO(result.output);
  REQUIRE(result.status == 0);
  REQUIRE(contains(result.output, text));
}

// A precompiled header leaves no tokens before the first one of a file.
TEST_CASE("a text may begin with any declaration") {
  const std::string uses = "\n__global__ void kernel(First* first) { first->x = First{1}.x; }\n";
  for (const char* first :
       {"struct First { int x; };", "class First { public: int x; };", "enum First : int { one };",
        "template <typename T> struct First { T x; };", "using First = int2;",
        "First operator+(First, First);", "First* operator()(int);",
        "namespace n { struct First; }", "__device__ First make() { return {}; }",
        "First make();"}) {
    INFO(first);
    const auto result = rewrite(first + uses);
    INFO(result.output);
    REQUIRE(result.status == 0);
  }
  const std::string read = "\n__global__ void kernel(int* x) { *x = first; }\n";
  REQUIRE(contains(rewrite("int first;" + read).output, "device code cannot use first"));
}

TEST_CASE("device code may use what is no variable of the host") {
  const std::string uses =
      "\n__global__ void kernel(float* x) { Tile<8>& tile = *(Tile<8>*)x; tile[0] = Count<8>; }\n"
      "template <int n> __device__ void fill(Tile<n>& tile, Pair<int> p) { tile[n - 1] = p; }\n";
  for (const char* first : {"template <int n> using Tile = float[n];",
                            "template <int n>\nusing Tile [[maybe_unused]] = float[n + 4];",
                            "template <int n> struct Tile { float x[n]; float& operator[](int); };",
                            "template <class T> concept Tile = sizeof(T) > 4;",
                            "template <class T> requires (sizeof(T) > 1) using Tile = T*;"}) {
    INFO(first);
    const std::string more =
        "\ntemplate <class T> using Pair = T;\ntemplate <int n> constexpr int Count = 2 * n;";
    const auto result = rewrite(first + more + uses);
    INFO(result.output);
    REQUIRE(result.status == 0);
  }
  // The alias of a template hides no variable that follows.
  const std::string table = "template <int n> using Tile = float[n];\nTile<8> table;\n";
  REQUIRE(contains(rewrite(table + "__global__ void kernel(float* x) { *x = table[1]; }\n").output,
                   "device code cannot use table"));
}

TEST_CASE("a system header's macros are rewritten in an included file as well") {
  const std::string text =
      "# 1 \"kernels.h\" 1\n"
      "void kernel() {\n"
      "# 2 \"kernels.h\" 3 4\n"
      "tilelab_shared_memory\n"
      "# 2 \"kernels.h\"\n"
      "  int tile[4];\n"
      "}\n";
  REQUIRE_FALSE(contains(rewrite(text).output, "tilelab_shared_memory"));
  REQUIRE(contains(rewrite("# 1 \"system.h\" 1 3\nint tilelab_shared_memory;\n").output,
                   "tilelab_shared_memory"));
}

TEST_CASE("what is put after the colon of a label is apart from it") {
  const auto result = rewrite("void f(int* x) { switch (*x) { case 1:k<<<1, 2>>>(x); } }");
  INFO(result.output);
  REQUIRE(contains(result.output, "case 1: ::tilelab"));
}

TEST_CASE("what is in the brackets of a statement is no part of the kernel after it") {
  for (const std::string head : {"if (n > 0)", "while (n--)", "for (auto k : all)", "switch (n)",
                                 "if constexpr (true)", "else if (n)"}) {
    const auto result = rewrite("void f(int n) { " + head + " (*k)<<<1, 2>>>(n); }");
    INFO(result.output);
    REQUIRE(
        contains(result.output, "{ " + head + "  ::tilelab::emulator::configure_launch(\"(*k)\""));
  }
  REQUIRE(contains(rewrite("void f() { get(1)(2)<<<1, 2>>>(); }").output, "(\"get(1)(2)\""));
  REQUIRE(contains(rewrite("void f() { return (get)(2)<<<1, 2>>>(); }").output, "(\"(get)(2)\""));
}

TEST_CASE("rewriting keeps the number of lines") {
  const auto result = rewrite("void f() {\n k\n <\n int>\n <<<\n 1,\n 2\n >>>\n (x);\n}\nLAST\n");
  INFO(result.output);
  REQUIRE(result.status == 0);
  REQUIRE(contains(result.output, "launch"));
  // One more for the line marker before the text.
  const std::string before = result.output.substr(0, result.output.find("LAST"));
  REQUIRE(std::count(before.begin(), before.end(), '\n') == 11);
}

TEST_CASE("an addition of 1 is marked where nobody wants the old value") {
  const auto one = [](const std::string& statement) {
    const auto result = rewrite("__global__ void f(int* p, int i) {\n" + statement + "\n}\n");
    REQUIRE(result.status == 0);
    return contains(result.output, "Addend{");
  };
  for (const char* marked :
       {"atomicAdd(p, 1);", "atomicAdd(&p[i], 1u);", "(void)atomicAdd(p, 1);",
        "if (i > 0) atomicAdd(p, 1);", "else atomicAdd_block(p + g(i, 2), 1U);", "atomicAdd(p, i);",
        "for (int k = 0; k < 2; ++k) atomicAdd(p, 1);", "{ atomicAdd(p, 1); }"}) {
    CAPTURE(marked);
    REQUIRE(one(marked));
  }
  for (const char* left :
       {"i = atomicAdd(p, 1);", "i = (int)atomicAdd(p, 1);", "atomicAdd(p, i + i);",
        "atomicAdd(p, -1);", "g(i) + atomicAdd(p, 1);", "atomicSub(p, 1);", "x.atomicAdd(p, 1);",
        "atomicAdd(p, i - 1);", "atomicAdd(1);", "atomicAdd(p, 1) + 2;", "g(atomicAdd(p, 1));",
        "return atomicAdd(p, 1);", "atomicAdd(p, 1", "atomicAdd(", "x::atomicAdd(p, 1);"}) {
    CAPTURE(left);
    REQUIRE_FALSE(one(left));
  }
  REQUIRE_FALSE(contains(rewrite("__device__ double atomicAdd(double* p, double x) { return 0; }\n"
                                 "__global__ void f(double* p) { atomicAdd(p, 1); }\n")
                             .output,
                         "Addend"));
}

TEST_CASE("managed variables are listed, each declarator and no declaration of another file") {
  const auto listed = [](const std::string& declaration) {
    const auto result = rewrite(declaration + "\n");
    REQUIRE(result.status == 0);
    REQUIRE_FALSE(contains(result.output, "__managed__"));
    std::vector<std::string> names;
    const std::string begin = "tilelab_managed_", end = " = {&";
    for (std::size_t at = 0; (at = result.output.find(begin, at)) != std::string::npos;) {
      at += begin.size();
      names.push_back(result.output.substr(at, result.output.find(end, at) - at));
    }
    return names;
  };
  using Names = std::vector<std::string>;
  CHECK(listed("__managed__ int a;") == Names{"a"});
  CHECK(listed("__device__ __managed__ float a[4] = {1, 2}, b[2][3], *c = nullptr;") ==
        Names{"a", "b", "c"});
  CHECK(listed("static __managed__ unsigned long a{5};") == Names{"a"});
  CHECK(listed("template <class A, class B> struct Pair { A a; B b; };\n"
               "__managed__ Pair<int, float> a = {1, 2}, b;") == Names{"a", "b"});
  CHECK(listed("extern __managed__ int a;").empty());
  CHECK(listed("__managed__ int a(3").empty());
}

TEST_CASE("assembly is refused in user code, however it is spelled or marked") {
  for (const char* word : {"asm", "__asm", "__asm__"}) {
    REQUIRE(contains(rewrite("\n\nvoid f() { " + std::string(word) + "(\"\"); }").output,
                     "source.cu:3: error: inline assembly (PTX) is not supported"));
  }
  // A source cannot make itself a system header...
  const TemporaryFolder folder;
  const std::string source = folder.write("s.cu", "");
  const std::string marked =
      folder.write("marked", "# 1 \"" + source + "\"\n# 2 \"" + source + "\" 3\nasm(\"\");\n");
  REQUIRE(run_command(std::string(REWRITER) + " " + source + " < " + marked).status == 1);
  // ... but system headers may use assembly.
  const std::string system = folder.write("system", "# 1 \"/usr/include/x.h\" 1 3 4\nasm(\"\");\n");
  REQUIRE(run_command(std::string(REWRITER) + " " + source + " < " + system).status == 0);
}

TEST_CASE("forged line markers are refused in every disguise") {
  for (const char* source :
       {"#line 5 \"/usr/include/x.h\"\n", "# 5 \"x.h\" 3\n", "  #\tline 7\n", "%:line 5\n",
        "# /* c */ line 5\n", "/* c */ # line 5\n", "/*\n*/#line 5\n", "#li\\\nne 5\n",
        "#\\\n 5 \"x\"\n", "#\\  \nline 5\n", "#/*\n*/5 \"x\"\n", "int a;\n#line 5"}) {
    const auto result = rewrite("int a;", source);
    INFO(source << result.output);
    REQUIRE(result.status == 1);
    REQUIRE(contains(result.output, "#line"));
  }
  for (const char* source : {"#include <cstdio>\n", "#define line 5\n", "x = \"#line\";\n",
                             "// a line # 5\n", "#pragma unroll 5\n", "#if 1\n#endif\n"}) {
    INFO(source);
    REQUIRE(rewrite("int a;", source).status == 0);
  }
}
