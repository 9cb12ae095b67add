#!/bin/sh
# Makes a base backup of the running PostgreSQL server in FOLDER, verifies it and keeps the newest KEEP (default 7): backup.sh FOLDER [KEEP].
# Run it daily with a timer, with PGHOST, PGUSER and PGPASSFILE of a user with the REPLICATION attribute, and with pg_verifybackup in PATH
# (on Debian, add /usr/lib/postgresql/15/bin). Together with the WAL archive (archive-wal.sh) it restores any moment after its end.
set -eu
folder=${1:?usage: backup.sh FOLDER [KEEP]}
keep=${2:-7}
case $keep in '' | 0 | *[!0-9]*) echo "KEEP must be an integer of at least 1, not $keep" >&2; exit 1 ;; esac
umask 077
mkdir -p "$folder"
name="$folder/base-$(date -u +%Y%m%dT%H%M%SZ)"
trap 'rm -rf -- "$name.part"' EXIT INT TERM
pg_basebackup --no-password --pgdata "$name.part" --wal-method stream --checkpoint fast
pg_verifybackup --quiet "$name.part"
mv -- "$name.part" "$name"
echo "{\"folder\":\"$name\"}"
# Deletes old backups, and what interrupted ones left a day ago, only after a complete new one.
# The WAL files before the oldest kept backup can be deleted with pg_archivecleanup.
find -H "$folder" -maxdepth 1 -type d -name 'base-*Z.part' -mtime +0 -exec rm -rf -- {} +
ls -1d "$folder"/base-*Z | sort -r | tail -n "+$((keep + 1))" | while read -r old; do rm -rf -- "$old"; done
