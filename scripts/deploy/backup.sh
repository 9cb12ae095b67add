#!/bin/sh
# Backs up the SQLite database of the running service to FOLDER and keeps the newest KEEP backups (default 14):
# backup.sh FOLDER [KEEP]. Run it with a timer and with the settings of the service in the environment. Verifies each backup.
set -eu
folder=${1:?usage: backup.sh FOLDER [KEEP]}
keep=${2:-14}
case $keep in '' | 0 | *[!0-9]*) echo "KEEP must be an integer of at least 1, not $keep" >&2; exit 1 ;; esac
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
file="$folder/service-$(date -u +%Y%m%dT%H%M%SZ).db"
root=$(cd "$(dirname "$0")/../.." && pwd)
# Relative paths in the settings resolve against the current folder, as for the service.
node "$root/src/cli.ts" backup "$file" --json
# Deletes old backups, and what interrupted ones left a day ago, only after a complete new one. A newer file may still be written.
find "$folder" -maxdepth 1 -type f -name 'service-*.db.partial*' -mtime +0 -exec rm -f -- {} +
ls -1 "$folder"/service-*.db | sort -r | tail -n "+$((keep + 1))" | while read -r old; do rm -f -- "$old"; done
