# Part of the launcher. What it prints if somebody asks for help before anything is prepared.
# shellcheck shell=sh disable=SC2154,SC2016

# The first line of each command's module says what the command does.
commands_of() { # commands_of FOLDER...
  for folder; do
    for file in "$repo/grading/tilelab/commands/$folder"/*.py; do
      sed -n '1s/^"""`tilelab \([a-z-]*\)`: \(.*\)"""$/\1 \2/p' "$file"
    done
  done | while read -r name what; do printf '  %-10s %s\n' "$name" "$what"; done
}

cat <<TEXT
TileLab, a course in GPU shared memory, with or without a GPU.

Usage: tilelab [--yes] COMMAND ...

Nothing is set up yet. The first command that does something says what is
missing, and asks before it installs packages of this system (--yes agrees,
TILELAB_INSTALL=no declines). Python packages go to
  $environment
After that, tilelab COMMAND -h lists a command's options.

TEXT
commands_of student instructor maintainer
