#!/bin/sh
# compile.sh CXX REWRITER SOURCE OBJECT [FLAGS...]
#
# Compiles CUDA C++ for the emulator: preprocess, rewrite what is not C++, compile. Writes only to
# the folder of OBJECT.
set -u

cxx=$1 rewriter=$2 source=$3 object=$4
shift 4
include=$(dirname "$0")/include
preprocessed=$object.preprocessed
rewritten=$object.rewritten
TMPDIR=$(dirname "$object")
export TMPDIR
trap 'rm -f "$preprocessed" "$rewritten"' EXIT
rm -f "$object"

case $("$cxx" --version) in
  *clang*) set -- -ferror-limit=10 -fno-caret-diagnostics -Qunused-arguments "$@" ;;
  *) set -- -fmax-errors=10 -fno-diagnostics-show-caret "$@" ;;
esac
# One column would be that of the rewritten text.
set -- -std=c++20 -w -fno-show-column "$@"

"$cxx" "$@" -x c++ -D__CUDACC__ -isystem "$include" -include cuda_runtime.h -E "$source" \
  -o "$preprocessed" || exit
"$rewriter" "$source" <"$preprocessed" >"$rewritten" || exit

# As CUDA has it: integers wrap, memory is reinterpreted, errno is not set, an endless loop stays one.
# Floating-point contraction depends on the machine, stack probes make an overflow hit the guard page,
# and shared memory lies in the executable's thread-local storage. Where a short loop happens to lie
# changed a kernel's time by a fifth: aligned loops make times comparable.
"$cxx" -O2 -g1 -fwrapv -fno-strict-aliasing -fno-math-errno -fno-trapping-math -fno-finite-loops \
  -ffp-contract=off -fstack-clash-protection -ftls-model=local-exec -falign-loops=64 "$@" \
  -x c++-cpp-output -c "$rewritten" -o "$object"
