#!/bin/bash
# Gradescope runs this once, as root, while it makes the container of the autograder.
set -eu
cd "$(dirname "$0")"

# Submissions must not run as root.
id tilelab >/dev/null 2>&1 || useradd --create-home tilelab

# Installs what is missing, and builds the tests, so that no student waits for that.
./tilelab doctor
chown -R tilelab: .
runuser -u tilelab -- env HOME=/home/tilelab ./tilelab check LAB_NAME labs/LAB_NAME/LAB_NAME.cu || :
test -e build/emulator/bin/judge_LAB_NAME
