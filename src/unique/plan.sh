set -u
LC_ALL=C
export LC_ALL
case "$#:${1-}" in
0:) run= ;;
1:--run) run=1 ;;
*)
    printf '%s\n' 'dedup plan: give --run to do it, or nothing to see what would be done' >&2
    exit 2
    ;;
esac
if command -v sha256sum >/dev/null 2>&1; then
    sum() { sha256sum; }
elif command -v shasum >/dev/null 2>&1; then
    sum() { shasum -a 256; }
elif command -v sha256 >/dev/null 2>&1; then
    sum() { sha256; }
elif command -v openssl >/dev/null 2>&1; then
    sum() { openssl dgst -sha256 -r; }
else
    printf '%s\n' 'dedup plan: there is no sha256sum, shasum, sha256 or openssl; install one of them' >&2
    exit 2
fi
# Older standards of sh do not have -ef, and without it the last name of a file could go.
if ! [ . -ef . ] 2>/dev/null; then
    printf '%s\n' 'dedup plan: this sh has no `test -ef`; run it with dash, bash, ksh or busybox' >&2
    exit 2
fi
num_done=0
num_gone=0
num_left=0
# Sets $name to the bytes of a written name. The result begins with / or ./, so no command takes it for an operator.
decode() {
    name=$(printf '%b.' "$1")
    name=${name%.}
    case $name in
    /*) ;;
    *) name=./$name ;;
    esac
}
# is_file PATH LENGTH: a file, and no link, of this length.
is_file() {
    [ -f "$1" ] && [ ! -L "$1" ] && [ "$(($(wc -c <"$1")))" = "$2" ]
}
# is_same PATH LENGTH SHA256
is_same() {
    is_file "$1" "$2" && found=$(sum <"$1") && [ "${found%% *}" = "$3" ]
}
# leave WRITTEN WHY
leave() {
    printf 'dedup plan: %s: %s; skipped\n' "$1" "$2" >&2
    num_left=$((num_left + 1))
}
# keep WRITTEN LENGTH SHA256: the file that is kept instead of the files of the next steps.
keep() {
    decode "$1"
    kept=$name
    kept_written=$1
    kept_length=$2
    kept_sum=$3
}
# is_done: whether the file of a step is gone already, or the link that it was to be.
is_done() {
    if [ "$action" = link ]; then [ "$name" -ef "$kept" ]; else [ ! -e "$name" ] && [ ! -L "$name" ]; fi
}
# is_step WRITTEN LENGTH SHA256: whether the step is to be done.
is_step() {
    decode "$1"
    if [ ! -f "$kept" ] || [ -L "$kept" ]; then
        leave "$1" "$kept_written, which is kept for it, is gone"
    elif is_done; then
        num_gone=$((num_gone + 1))
    elif ! is_same "$name" "$2" "$3"; then
        leave "$1" 'it changed after the scan'
    elif ! is_same "$kept" "$kept_length" "$kept_sum"; then
        leave "$1" "$kept_written, which is kept for it, changed after the scan"
    elif [ "$name" -ef "$kept" ]; then
        # A link to a folder may make two names of one file, and then the only one would go.
        leave "$1" "$kept_written, which is kept for it, is the same file"
    else
        return 0
    fi
    return 1
}
# step WRITTEN COMMAND...: does it, or prints that it would.
step() {
    written=$1
    shift
    if [ ! "$run" ]; then
        printf 'would %s %s: %s is kept\n' "$action" "$written" "$kept_written"
    elif "$@"; then
        printf '%s %s: %s is kept\n' "$action" "$written" "$kept_written"
    else
        leave "$written" "cannot $action it"
        return 0
    fi
    num_done=$((num_done + 1))
}
# remove WRITTEN LENGTH SHA256
remove() {
    if is_step "$@"; then step "$1" rm -f -- "$name"; fi
}
# move WRITTEN LENGTH SHA256 TARGET
move() {
    is_step "$1" "$2" "$3" || return 0
    source=$name
    decode "$4"
    target=$name
    if [ -e "$target" ] || [ -L "$target" ]; then
        leave "$1" "there is something at $4"
    else
        step "$1" move_to
    fi
}
move_to() {
    mkdir -p -- "${target%/*}" && mv -- "$source" "$target"
}
# link WRITTEN LENGTH SHA256
link() {
    if is_step "$@"; then step "$1" link_over; fi
}
# The link has another name first, so that there is always a file.
link_over() {
    ln -- "$kept" "$name.dedup-link" || return 1
    mv -f -- "$name.dedup-link" "$name" && return 0
    rm -f -- "$name.dedup-link"
    return 1
}
finish() {
    if [ "$run" ]; then verb=done; else verb='to do'; fi
    printf '%s %s, %s done before, %s skipped\n' "$num_done" "$verb" "$num_gone" "$num_left"
    [ "$num_left" = 0 ] || exit 1
    exit 0
}
