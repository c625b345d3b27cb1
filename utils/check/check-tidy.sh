#!/usr/bin/env bash
# Runs clang-tidy with the checks of .clang-tidy over our sources.
#
# usage: utils/check/check-tidy.sh [FOLDER...]
#
# Without a folder: runtime, backend, passes, compiler. It needs a configured and built
# build/dev. The folders that do not use LLVM's headers (runtime, passes/mapper) are quick.
# Tests are left out: that ASSERT_TRUE returns is not seen by clang-tidy.
set -euo pipefail
case "${1:-}" in -h|--help) sed -n '2,8p' "$0" | sed 's/^# \{0,1\}//'; exit 0 ;; esac
cd "$(dirname "$0")/.."
[ -f build/dev/compile_commands.json ] || { echo "error: no build/dev; run cmake --preset dev && ninja -C build/dev" >&2; exit 1; }
[ $# -gt 0 ] || set -- runtime backend passes compiler
folders=$(IFS='|'; echo "$*")
status=0
run-clang-tidy-22 -p build/dev -quiet -j "${JOBS:-2}" "^$PWD/($folders)/.*(?<!Test)\.cpp\$" > build/dev/tidy.log 2>&1 || status=$?
grep -E '(error|warning): ' build/dev/tidy.log | sed "s|$PWD/||" | sort -u || true
exit $status
