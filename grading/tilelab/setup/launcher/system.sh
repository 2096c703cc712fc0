# Part of the launcher: the packages of this system. Debian's and Ubuntu's are installed, if the user
# agrees. On other systems the command is printed.
# shellcheck shell=sh disable=SC2154,SC2086,SC2046

# --- What is missing ------------------------------------------------------------------------------

# at_least VERSION MINIMUM, both MAJOR[.MINOR...]
at_least() {
  printf '%s %s\n' "$1" "$2" |
    awk '{ split($1, a, "."); split($2, b, ".");
           exit !(a[1] + 0 > b[1] + 0 || (a[1] + 0 == b[1] + 0 && a[2] + 0 >= b[2] + 0)) }'
}

has_gcc() { have g++ && at_least "$(g++ -dumpfullversion)" 12; }
has_compiler() {
  has_gcc || { ! has_harness && have clang++ && at_least "$(clang++ -dumpversion)" 14; }
}
# Whether a wheel in this repository has a harness for this machine, as its name says. For a GPU, one
# is built in any case.
has_harness() {
  [ ! -e /dev/nvidiactl ] || return 1
  for wheel in "$repo"/wheels/*-manylinux_*_"$(uname -m)".whl; do
    [ -e "$wheel" ] || continue
    tag=${wheel##*-manylinux_}
    tag=${tag%"_$(uname -m).whl"}
    at_least "$(getconf GNU_LIBC_VERSION | sed 's/.* //')" "$(echo "$tag" | tr _ .)" && return
  done 2>/dev/null
  return 1
}
has_cmake() { have cmake && at_least "$(cmake --version | awk 'NR == 1 { print $3 }')" 3.25; }
has_catch2() {
  for compiler in g++ clang++; do
    printf '#if !__has_include(<catch2/catch.hpp>) && !__has_include(<catch2/catch_all.hpp>)\n#error\n#endif\n' |
      "$compiler" -E -x c++ - >/dev/null 2>&1 && return
  done
  return 1
}
has_binutils() { have objcopy && have c++filt; }
has_python() { [ -n "$found" ] || base_python >/dev/null; }

# Prints a line per missing package: its name and what it is for.
missing_packages() {
  has_compiler || echo "g++ compiles the labs (version 12 or later)"
  if ! has_harness; then
    has_cmake || echo "cmake builds the tests (version 3.25 or later)"
    have ninja || echo "ninja-build builds the tests"
    has_catch2 || echo "catch2 is the test framework"
  fi
  has_python || echo "python3-venv runs the grading (Python 3.11 or later)"
  has_binutils || echo "binutils inspects compiled submissions"
  [ "$wanted" = run ] || missing_for_tests
  have prlimit || echo "util-linux limits the compiler's time and memory"
}

# What `docs` needs in addition.
missing_for_docs() { have doxygen || echo "doxygen describes the API"; }

# What `test` and `lint` need in addition.
missing_for_tests() { have git || echo "git makes the clones that tests need"; }

names_in() { printf '%s\n' "$@" | awk 'NF { print $1 }'; }

# --- What to run ----------------------------------------------------------------------------------

# names_on SYSTEM PACKAGE...: what another system calls packages of Debian
names_on() {
  system=$1
  shift
  for name; do
    case $system:$name in
      fedora:g++) name=gcc-c++ ;;
      fedora:catch2) name=catch-devel ;;
      fedora:python3-venv) name=python3 ;;
      arch:g++) name=gcc ;;
      arch:ninja-build) name=ninja ;;
      arch:python3-venv) name=python ;;
    esac
    printf ' %s' "$name"
  done
}

is_root() { [ "$(id -u)" = 0 ]; }

# The command that installs packages of Debian on this system, nothing if we do not know the system.
install_command() { # install_command PACKAGE...
  sudo=$(is_root || echo 'sudo ')
  if have apt-get; then
    echo "${sudo}apt-get update && ${sudo}apt-get install -y --no-install-recommends $*"
  elif have dnf; then
    echo "${sudo}dnf install -y$(names_on fedora "$@")"
  elif have pacman; then
    echo "${sudo}pacman -S --needed$(names_on arch "$@")"
  fi
}

# --- Running it -----------------------------------------------------------------------------------

# Shows only errors, in English, and asks nothing.
apt_environment='DEBIAN_FRONTEND=noninteractive DEBCONF_NOWARNINGS=yes LC_ALL=C'
as_root() {
  if is_root; then
    "$@"
  elif [ -t 0 ]; then
    sudo "$@"
  else
    sudo -n "$@"
  fi
}
apt_once() { as_root env $apt_environment apt-get -qq "$@"; }
# Another apt may be at work, such as the one that every new machine runs after its first start.
apt_patience=120 # times 5 seconds
apt() {
  turns=0
  until errors=$(apt_once "$@" 2>&1 >/dev/null); do
    why=
    case $errors in
      *'Could not get lock'* | *'Unable to acquire'* | *'Unable to lock'*)
        why="another program is installing packages; waiting for it"
        ;;
      *'dpkg was interrupted'*)
        why="an earlier installation was interrupted; finishing it"
        as_root env $apt_environment dpkg --configure -a >/dev/null || turns=$apt_patience
        ;;
    esac
    if [ -z "$why" ] || [ "$turns" -ge "$apt_patience" ]; then
      printf '%s\n' "$errors" >&2
      return 1
    fi
    [ "$turns" -gt 0 ] || say "$why"
    turns=$((turns + 1))
    sleep 5
  done
  [ -z "$errors" ] || printf '%s\n' "$errors" >&2
}
install_packages() { apt -o Dpkg::Use-Pty=0 install -y --no-install-recommends "$@"; }

can_install() { have apt-get && { is_root || have sudo; }; }
in_container() {
  [ -e /.dockerenv ] || [ -e /run/.containerenv ] || [ -n "${container:-}" ]
}
# Somebody at a terminal is asked. Without one, only a machine that is there for this is changed.
is_allowed() {
  [ "${TILELAB_INSTALL:-}" != no ] || return 1
  [ -z "$agreed" ] || return 0
  if [ -t 0 ] && [ -t 2 ]; then
    printf 'tilelab: run it now? [Y/n] ' >&2
    IFS= read -r answer || return 1
    case $answer in
      '' | [yY]*) return 0 ;;
      *) return 1 ;;
    esac
  fi
  is_root || in_container
}

# Says what is missing and how to get it. Whether it may be installed now.
offer() { # offer LINES
  say "missing on this system:"
  printf '%s\n' "$1" | sed '/^$/d; s/^/  /' >&2
  run=$(install_command $(names_in "$1"))
  if [ -n "$run" ]; then
    say "this command installs it:"
    say "  $run"
  fi
  can_install && is_allowed
}
begin_installing() {
  say "installing packages with apt-get, which can take a minute"
  apt update || say "apt-get update failed; using the package lists that are already here"
}

# Student code runs behind walls that only Linux has.
assert_linux() {
  case $(uname -s 2>/dev/null) in
    Darwin) say "macOS cannot run this. Use the container: $repo/README.md says how" ;;
    MINGW* | MSYS* | CYGWIN*) say "Windows cannot run this. Use WSL2: $repo/README.md says how" ;;
    *) return 0 ;;
  esac
  exit 1
}

give_up() { # give_up PACKAGE...
  if [ -n "$run" ]; then
    say "not installed. Run that command, then try again"
  else
    say "this system has no apt-get. Install its packages for: $*"
  fi
  exit 1
}

prepare_system() {
  missing=$(missing_packages)
  case $missing in
    *python3-venv*) assert_python_is_new ;;
  esac
  optional=$(have bwrap || echo "bubblewrap sandboxes submissions (optional)")
  [ -n "$missing$optional" ] || return 0
  names=$(names_in "$missing")
  if offer "$missing
$optional"; then
    begin_installing
    [ -z "$names" ] || install_packages $names || give_up
    assert_new_enough "$(missing_packages)"
    [ -z "$optional" ] || install_packages bubblewrap || :
  elif [ -n "$names" ]; then
    give_up $names
  fi
  have bwrap || say "continuing without bubblewrap: submissions will run with your permissions"
}

assert_new_enough() { # assert_new_enough LINES
  [ -n "$1" ] || return 0
  say "this system's packages are too old. Use the container: $repo/README.md says how. Too old are:"
  printf '%s\n' "$1" | sed 's/^/  /' >&2
  exit 1
}

# Best effort: if nothing is installed, the command itself says what to do.
prepare_docs() {
  missing=$(missing_for_docs)
  if [ -z "$missing" ] || ! can_install || ! offer "$missing"; then return; fi
  begin_installing
  install_packages $(names_in "$missing") || :
}
