#!/bin/sh
# The shell part of action.yml: settings as DEDUP_ variables in; annotations on standard output, a job summary, a SARIF file
# and the outputs `pairs` and `sarif` out. Ends with the exit code of dedup.
set -eu

# Each use in a job has a folder of its own, so that none takes the files of another one for its own.
folder=$(mktemp -d "${RUNNER_TEMP:?}/dedup.XXXXXX")
sarif="$folder/dedup.sarif"
comment="$folder/dedup.md"

set -- --show-passages --format github --format "sarif=$sarif" --format "markdown=$comment"
[ -z "${DEDUP_THRESHOLD:-}" ] || set -- "$@" --threshold "$DEDUP_THRESHOLD"
[ -z "${DEDUP_BASELINE:-}" ] || set -- "$@" --baseline "$DEDUP_BASELINE"
[ -z "${DEDUP_CHANGED_SINCE:-}" ] || set -- "$@" --changed-since "$DEDUP_CHANGED_SINCE"
set -- "$@" --fail-over "${DEDUP_FAIL_OVER:-0}"

status=0
# Every file of a repository is one text, also tables, and what git ignores is none.
args='--gitignore --input-format text'
# Paths and further flags are several words each, and no pattern of theirs is for the shell.
set -f
# shellcheck disable=SC2086
"${DEDUP:-dedup}" scan ${DEDUP_PATH:-.} ${DEDUP_ARGS-$args} "$@" || status=$?

# Without these files the scan was not done, and dedup has said why.
if [ -f "$comment" ]; then
    cat "$comment" >>"${GITHUB_STEP_SUMMARY:?}"
    # The last line of a SARIF report has the number of pairs, also of those that --top leaves out.
    pairs=$(tail -n 1 "$sarif" | sed -n 's/.*"properties":{"pairs":\([0-9]*\)}.*/\1/p')
    printf 'pairs=%s\n' "$pairs" >>"${GITHUB_OUTPUT:?}"
    printf 'sarif=%s\n' "$sarif" >>"$GITHUB_OUTPUT"
fi
exit "$status"
