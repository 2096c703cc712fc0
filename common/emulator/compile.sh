#!/bin/sh
# compile.sh [--checked] [--host] CXX REWRITER SOURCE OBJECT [FLAGS...]
#
# Compiles CUDA C++ for the emulator in three steps: preprocess, rewrite what is not C++, compile.
# Writes only to OBJECT's folder. A checked object reports every memory access to the observer: link
# it with the observer, and never with -fsanitize=thread. With --host, SOURCE is C++ of the host
# alone, which needs no rewriting.
#
# Among FLAGS, -DTILELAB_CHECKS_INDEXES makes a checked object look for indexes past the end of a row
# or member as well, where the compiler can. With -DTILELAB_NAMES_UNSET the compiler warns of local
# variables that may be used before they are set: what a thread keeps for itself is not watched.
#
# TILELAB_LAUNCHER, such as ccache, is a command that runs the compiler where that takes longest.
#
# g++ can read cuda_runtime.h faster if a checked OBJECT of that header, FOLDER/cuda_runtime.h.gch,
# has been made before. Then FLAGS are -isystem FOLDER -fpch-preprocess.
set -u

build=fast
if [ "$1" = --checked ]; then
  build=checked
  shift
fi
kind=cuda
if [ "$1" = --host ]; then
  kind=host
  shift
fi
cxx=$1 rewriter=$2 source=$3 object=$4 launcher=${TILELAB_LAUNCHER:-}
shift 4
here=$(dirname "$0")
include=$here/include
preprocessed=$object.preprocessed
device=$object.device
rewritten=$object.rewritten
assembly=$object.assembly
checked=$object.checked
TMPDIR=$(dirname "$object")
export TMPDIR
# Folders that another compiler's headers may be in.
unset CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH
trap 'wait; rm -f "$preprocessed" "$device" "$rewritten" "$assembly" "$assembly.s" "$checked"' EXIT
rm -f "$object"

case $("$cxx" --version) in
  *clang*) compiler=clang ;;
  *) compiler=gcc ;;
esac
if [ $compiler = clang ]; then
  set -- -ferror-limit=10 -fno-caret-diagnostics -Qunused-arguments "$@"
  also_unset=-Wsometimes-uninitialized
else
  # Unique symbols could not be merged with those of other objects once groups are dissolved.
  set -- -fmax-errors=10 -fno-diagnostics-show-caret -fno-gnu-unique "$@"
  also_unset=-Wmaybe-uninitialized
fi
# Columns would be those of the rewritten text.
set -- -fno-show-column "$@"
language=c++
case $kind-$source in
  host-*.c) language=c ;;
  *) set -- -std=c++20 "$@" ;;
esac
# The checked versions of _FORTIFY_SOURCE would hide from the observer which function is called.
[ $build = checked ] && set -- -DTILELAB_CHECKED -U_FORTIFY_SOURCE "$@"

# How a checked object calls the observer at each access. binutils' addr2line does not understand
# what clang writes about inlined functions in DWARF 5, and takes a header for the file that includes
# it if g++ writes it. Messages name lines, which -g1 says as exactly as -g only with
# -gstatement-frontiers.
watched="-O1 -fsanitize=thread -fno-builtin -gdwarf-4"
if [ $compiler = clang ]; then
  watched="$watched -g -mllvm -tsan-instrument-read-before-write=1
    -mllvm -tsan-instrument-func-entry-exit=0 -mllvm -tsan-distinguish-volatile"
else
  watched="$watched -g1 -gstatement-frontiers --param=tsan-instrument-func-entry-exit=0
    --param=tsan-distinguish-volatile=1"
fi

# Host code of a program of its own may have threads, which wait for each other.
case " $* " in
  *" -DTILELAB_PROGRAM "*)
    of_threads=--redefine-sym=pthread_mutex_lock=tilelab_pthread_mutex_lock
    program=--program ;;
  *)
    of_threads=
    program= ;;
esac

# A program may ask which nvcc compiles it: one of the version that cuda_runtime_api.h has. A
# submission may not.
case "$kind $* " in
  "host "* | *" -DTILELAB_PROGRAM "*)
    set -- -D__NVCC__ -D__CUDACC_VER_MAJOR__=13 -D__CUDACC_VER_MINOR__=0 \
      -D__CUDACC_VER_BUILD__=88 -D__CUDA_API_VER_MAJOR__=13 -D__CUDA_API_VER_MINOR__=0 \
      -D__CUDA_ARCH_LIST__=900 "$@" ;;
esac

# make_object [FLAGS OF OBJCOPY...]: makes OBJECT of what the compiler made. The C library's functions
# that write memory go through the observer, which checks where. Nothing may run before main, as the
# object check makes sure: what the compilers put there for -fsanitize=thread is not needed here, and
# each has a priority of its own for it.
make_object() {
  # shellcheck disable=SC2086
  set -- --redefine-syms="$here/observer/hooks/redirected_symbols" $of_threads "$@"
  for section in .init_array.00099 .init_array.0; do
    set -- --remove-section $section --remove-section .rela$section "$@"
  done
  objcopy "$@" "$checked" "$object"
}

# cuda_headers FLAGS...: our headers that a file in C includes, one a line. What those include is not
# there for C.
cuda_headers() {
  "$cxx" "$@" -x c -M -MG "$source" 2>/dev/null | sed 's/\\ /\t/g' | tr -s ' ' '\n' | tr '\t' ' ' |
    awk -v ours="$include/" 'index($0, ours) == 1 { print substr($0, length(ours) + 1) }' |
    grep -v /
}

# compile_as_cpp FLAGS...: our headers are C++. A file in C that includes them is compiled as C++ with
# the names of C and some of its words. g++ lets it assign pointers without a cast.
compile_as_cpp() {
  path=$(realpath "$source")
  {
    printf '%s\n' "$headers" | sed 's/.*/#include <&>/'
    printf 'extern "C" {\n#include "%s"\n}\n' "$path"
  } | "$cxx" "$@" -std=c++20 -fpermissive "-ffile-prefix-map=$path=$source" -Drestrict=__restrict \
    -D_Bool=bool -D_Static_assert=static_assert -x c++ -c - && return
  status=$?
  echo "$source: note: TileLab compiles it as C++, because it includes CUDA's headers" >&2
  return $status
}

# compile_host TO FLAGS...
compile_host() {
  to=$1
  shift
  set -- -w "$@" -isystem "$include"
  headers=
  [ $language = c ] && headers=$(cuda_headers "$@")
  if [ -n "$headers" ]; then
    compile_as_cpp "$@" -o "$to"
  else
    "$cxx" "$@" -x $language -c "$source" -o "$to"
  fi
}

if [ $kind = host ]; then
  if [ $build = fast ]; then
    compile_host "$object" -O2 -g "$@"
  else
    # shellcheck disable=SC2086
    compile_host "$checked" $watched "$@" && make_object
  fi
  exit
fi

# Whether a file that is no system header says __CUDA_ARCH__.
mentions_architecture() {
  sed -n 's/^# [0-9]* "\([^<"]*\)".*/\1/p' "$preprocessed" | sort -u | grep -v '^/usr/' |
    grep -vF "$include/" | tr '\n' '\0' | xargs -0 grep -qs -e __CUDA_ARCH__ --
}

# Headers need no rewriting.
if [ "$source" != "$include/cuda_runtime.h" ]; then
  "$cxx" -w "$@" -x c++ -D__CUDACC__ -isystem "$include" -include cuda_runtime.h -E "$source" \
    -o "$preprocessed" || exit
  if mentions_architecture; then
    # As nvcc does it: a second time for the device, whose compute capability is that of
    # device_limits.h.
    "$cxx" -w "$@" -x c++ -D__CUDACC__ -D__CUDA_ARCH__=900 -isystem "$include" \
      -include cuda_runtime.h -E "$source" -o "$device" || exit
    "$rewriter" $program "$source" "$device" <"$preprocessed" >"$rewritten" || exit
  else
    "$rewriter" $program "$source" <"$preprocessed" >"$rewritten" || exit
  fi
fi

# CUDA's rules: integers wrap, memory may be reinterpreted, errno is not set, and an endless loop
# stays endless. Stack probes make an overflow hit the guard page. Shared memory is in the
# executable's thread-local storage. Variables of libraries are not, such as std::call_once has.
set -- -fwrapv -fno-strict-aliasing -fno-math-errno -fno-trapping-math -fno-finite-loops \
  -fstack-clash-protection -ftls-model=initial-exec "$@"
# What differs between machines is as on x86-64: floating-point contraction is off, char is signed,
# and an integer division by zero traps.
set -- -ffp-contract=off -fsigned-char "$@"
machine=$("$cxx" -dumpmachine)
case $machine in
  x86_64*) ;;
  *) set -- -fsanitize=integer-divide-by-zero -fsanitize-undefined-trap-on-error "$@" ;;
esac

if [ $build = fast ]; then
  # The address of a short loop changed a kernel's time by a fifth. Aligned loops make times
  # comparable.
  $launcher "$cxx" -w -O2 -g1 -falign-loops=64 "$@" -x c++-cpp-output -c "$rewritten" -o "$object"
  exit
fi

# unset_variables FLAGS...: what the compiler says of variables, and of what printf() is given. g++
# looks at variables when it optimizes. Its other warnings would be about the rewritten text.
unset_variables() {
  "$cxx" -O2 "$@" -Wuninitialized $also_unset -Wformat -x c++-cpp-output -S "$rewritten" -o /dev/null 2>&1 |
    grep -e '\[-W[a-z]*-*uninitialized\]' -e '\[-Wformat=*\]' | grep -vF "$include/"
}

# g++ warns of a variable that a function sets if it inlines the function and does not see that all
# ways through it do so. Without inlining it warns of one that is handed to a shuffle, though lanes may
# hand it what only one of them has set. Only what it says in both cases counts.
name_unset_variables() {
  if [ $compiler = clang ]; then
    unset_variables "$@"
    return
  fi
  alone=$(unset_variables -fno-inline "$@") || return
  inlined=$(unset_variables "$@" | sed 's/ [a-z ]* used uninitialized .*/ /')
  [ -n "$inlined" ] && printf '%s\n' "$alone" | grep -F "$inlined"
}

case " $* " in
  *" -DTILELAB_NAMES_UNSET "*) name_unset_variables "$@" >&2 & ;;
esac

# An index past the end of a row or member is a call of its own, before the access. It keeps loads
# that nobody needs, so what is counted or graded does without. The flag that makes a division trap
# would make it a trap. clang++ would join the accesses of two branches after it, which leaves no
# line.
case "$compiler-$machine $* " in
  gcc-x86_64*" -DTILELAB_CHECKS_INDEXES "*) set -- -fsanitize=bounds-strict "$@" ;;
esac
# One call for each access and each basic block. No load is moved to where the source has none, and
# the load of `a[i] += x` is not dropped: either would change the counts.
# shellcheck disable=SC2086
set -- $watched -fno-optimize-sibling-calls "$@"
if [ $compiler = clang ]; then
  set -- -fsanitize-coverage=trace-pc,bb -mllvm -sanitizer-coverage-prune-blocks=0 \
    -mllvm -disable-licm-promotion "$@"
else
  # Variables are found by their own addresses, because gaps are put between them.
  set -- -fsanitize-coverage=trace-pc -fno-section-anchors "$@"
fi
if [ "$source" = "$include/cuda_runtime.h" ]; then
  # The macros that these options define are not there when a submission is preprocessed.
  exec "$cxx" -w "$@" -U__OPTIMIZE__ -U__SANITIZE_THREAD__ -U__NO_MATH_ERRNO__ \
    -U__NO_TRAPPING_MATH__ -D__NO_INLINE__ -x c++-header -D__CUDACC__ -isystem "$include" \
    "$source" -o "$object"
fi
$launcher "$cxx" -w "$@" -x c++-cpp-output -S "$rewritten" -o "$assembly" || exit
# Adds a table of the shared variables, and gaps between them that catch stray accesses.
awk -v machine="${machine%%-*}" -f "$here/observer/hooks/edit_assembly.awk" "$assembly" \
  >"$assembly.s" || exit
"$cxx" -w "$@" -Wa,--no-warn -x assembler -c "$assembly.s" -o "$checked" || exit
# Constants are one range, whether they have their values already or not.
set -- --rename-section tilelab_constant_values=tilelab_constant,alloc,load,data,contents
# The object's variables get sections of their own, so that the linker tells their bounds.
for section in $(objdump -h "$checked" | awk '$2 ~ /^\.(data|bss)(\.|$)/ { print $2 }'); do
  case $section in
    .data.rel.ro*) ;;
    .data*) set -- "$@" --rename-section "$section=tilelab_data" ;;
    *) set -- "$@" --rename-section "$section=tilelab_bss" ;;
  esac
done
make_object "$@"
