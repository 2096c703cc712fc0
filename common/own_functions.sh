#!/bin/sh
# Gives a static library the standard library's inline functions and templates for itself.
#
#   sh own_functions.sh LIBRARY.a
#
# A linker takes the first copy of such a function for all files. A program's copy reports its
# accesses to the observer, which would then observe itself.
set -eu
names=$(mktemp)
trap 'rm -f "$names"' EXIT
# Functions, and the names of groups of constructors and destructors.
nm --defined-only "$1" |
  awk '$2 ~ /^[Wn]$/ && $3 ~ /^_ZN?K?(St|Sa|9__gnu_cxx)/ { print $3, "tilelab_own." $3 }' |
  sort -u >"$names"
objcopy --redefine-syms="$names" "$1"
