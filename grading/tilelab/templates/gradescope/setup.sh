#!/bin/bash
# Gradescope runs this once, as root, while it makes the container of the autograder.
set -eu
cd "$(dirname "$0")"

# Submissions must not run as root.
id grader >/dev/null 2>&1 || useradd --create-home grader

# Installs what is missing, and builds the tests, so that no student waits for that.
./tilelab doctor
chown -R grader: .
runuser -u grader -- env HOME=/home/grader ./tilelab check LAB_NAME labs/LAB_NAME/LAB_NAME.cu || :
test -e build/emulator/bin/judge_LAB_NAME
