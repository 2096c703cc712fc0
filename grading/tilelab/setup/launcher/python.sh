# Part of the launcher: the interpreter and its packages. An interpreter of this system is used if it
# has everything in versions that are new enough. If none has, we make an environment.
# shellcheck shell=sh disable=SC2154,SC2086

# Only what lies in a folder with this file may be removed.
marker=$environment/made-by-tilelab
ours=$environment/bin/python

# --- Interpreters ---------------------------------------------------------------------------------

# Whether an interpreter has the packages for a scope. Prints its path and their folders, with colons
# between.
ask_packages() { # ask_packages INTERPRETER SCOPE
  have "$1" && PYTHONPATH="$repo/grading${PYTHONPATH:+:$PYTHONPATH}" \
    "$1" "$repo/grading/tilelab/base/requirements.py" "$2"
}
check_packages() { ask_packages "$@" 2>/dev/null; }
pythons='python3 python3.15 python3.14 python3.13 python3.12 python3.11 /usr/bin/python3'

# The interpreter with the packages for a scope, if there is one: ours if it was completed, that of
# the repository's owner, which is for everybody, or one of this system.
find_packages() { # find_packages SCOPE
  for candidate in "$ours" "$repo/build/python/bin/python" $pythons; do
    if [ "$candidate" = "$ours" ] && ! is_completed; then continue; fi
    ! check_packages "$candidate" "$1" || return 0
  done
  return 1
}
find_python() { find_packages "$1" | sed 's/:.*//' | grep .; } # find_python SCOPE

# An interpreter that can make an environment.
base_python() {
  for candidate in $pythons; do
    if is_new "$candidate" && "$candidate" -c 'import ensurepip, venv' 2>/dev/null; then
      printf '%s\n' "$candidate"
      return
    fi
  done
  return 1
}
is_new() {
  have "$1" && "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}
# Packages of this system cannot help if its Python is too old.
assert_python_is_new() {
  have python3 || return 0
  for candidate in $pythons; do
    ! is_new "$candidate" || return 0
  done
  say "$(python3 --version 2>&1) is too old. Install Python 3.11 or later next to it, such as the" \
    "packages python3.12 and python3.12-venv, or use the container: $repo/README.md says how"
  exit 1
}

# --- The environment ------------------------------------------------------------------------------

is_completed() { [ -e "$marker" ] && [ -e "$ready" ]; }

# The marker is made first and never removed: this may be interrupted at any time.
clear_environment() {
  if [ -e "$environment" ] && [ ! -e "$marker" ] && ! rmdir "$environment" 2>/dev/null; then
    say "TileLab did not make $environment, so it will not touch it. Move it away, then try again"
    exit 3
  fi
  { mkdir -p "$environment" && : >>"$marker"; } 2>/dev/null || cannot_write
  for path in "$environment"/* "$environment"/.[!.]*; do
    [ "$path" = "$marker" ] || rm -rf "$path" || cannot_write
  done
}

# Explains a failure, if this is why.
check_room() {
  full=
  head -c 67108864 /dev/zero 2>/dev/null >"$environment/room" || full=yes
  rm -f "$environment/room"
  [ -z "$full" ] || cannot_write ": its disk is full"
}

note_ready() { # note_ready SCOPE, for what check_packages has printed into $found
  python=${found%%:*}
  folders=${found#*:}
  {
    printf '%s\n' "$python" "$1" "$folders" "$(facts)" >"$ready.new" && mv "$ready.new" "$ready"
  } 2>/dev/null || cannot_write
}

make_environment() {
  clear_environment
  say "making a Python environment in $environment"
  if ! errors=$("$(base_python)" -m venv "$environment" 2>&1); then
    check_room
    say "Python could not make an environment: $(printf '%s\n' "$errors" | tail -n 1)"
    exit 1
  fi
}

# Takes the note away first: after an interruption, nobody knows what is there.
install() { # install SCOPE
  rm -f "$ready"
  say "downloading Python packages from PyPI"
  if ! errors=$(PYTHONPATH=$repo/grading "$ours" -P -m tilelab.setup.packages "$1" 2>&1); then
    check_room
    say "$errors"
    # A download that failed changed nothing.
    if found=$(check_packages "$ours" run); then note_ready run; fi
    exit 1
  fi
  if ! found=$(check_packages "$ours" "$1"); then
    say "the packages were installed, but do not work: $(ask_packages "$ours" "$1" 2>&1 | tail -n 1)"
    exit 1
  fi
  note_ready "$1"
}

prepare_python() {
  unchanged=
  if read_ready && [ "$noted" = "$(facts)" ]; then unchanged=yes; fi
  # Once packages were found to be broken, none is trusted but a new one.
  if [ "$python" != broken ]; then
    if [ -n "$found" ]; then
      [ "$python" = "${found%%:*}" ] || say "using ${found%%:*}, which has all Python packages"
      is_completed || clear_environment
      note_ready "$wanted"
      return
    fi
    if is_completed && check_packages "$ours" run >/dev/null; then
      install "$wanted"
      return
    fi
  fi
  if [ -e "$ready" ] && [ -z "$unchanged" ]; then
    say "Python or its packages have changed on this system. Preparing them again"
  fi
  make_environment
  install "$wanted"
}
