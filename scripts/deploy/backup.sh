#!/bin/sh
# Copies the database of the running service into FOLDER and keeps the newest KEEP copies (14). For a timer, with the settings of
# the service in the environment: backup.sh FOLDER [KEEP]. Each copy is checked before it counts. PostgreSQL has tools of its own.
set -eu
folder=${1:?usage: backup.sh FOLDER [KEEP]}
keep=${2:-14}
case $keep in '' | 0 | *[!0-9]*) echo "KEEP is a whole number above 0, not $keep" >&2; exit 1 ;; esac
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
file="$folder/service-$(date -u +%Y%m%dT%H%M%SZ).db"
root=$(cd "$(dirname "$0")/../.." && pwd)
# Paths in the settings are taken from here, as those of the service are.
"$root/node_modules/.bin/node" "$root/src/cli.ts" backup "$file" --json
# Only after a copy that is whole: a disk that is full must not cost the old ones.
ls -1 "$folder"/service-*.db | sort -r | tail -n "+$((keep + 1))" | while read -r old; do rm -f -- "$old"; done
