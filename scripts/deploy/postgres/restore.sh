#!/bin/sh
# Prepares a data folder from a base backup and the WAL archive: restore.sh BACKUP WAL DATA [time|name|lsn VALUE], for example
# time '2026-01-31 12:00:00+00'. Without a target it restores everything that was archived. Starting PostgreSQL on DATA, as its user,
# replays the WAL to the target and opens the database for writes. Refuses an existing folder.
set -eu
[ $# -eq 3 ] || [ $# -eq 5 ] || { echo "usage: restore.sh BACKUP WAL DATA [time|name|lsn VALUE]" >&2; exit 1; }
backup=$1 wal=$(cd "$2" && pwd) data=$3 kind=${4:-} value=${5:-}
case $kind in '' | time | name | lsn) ;; *) echo "The target is time, name or lsn, not $kind." >&2; exit 1 ;; esac
case $wal$value in *\'*) echo "Folder and target must not contain a quote." >&2; exit 1 ;; esac
[ -r "$backup/backup_label" ] || { echo "$backup is not a base backup: it has no backup_label." >&2; exit 1; }
# PostgreSQL would stop at the end of the backup without a word. Without a zone, the target is in the zone of the server.
case $kind:$value in
  time:*:*[+-][0-9]* | time:*Z | time:*UTC)
    started=$(sed -n 's/^START TIME: //p' "$backup/backup_label")
    if from=$(date -d "$started" +%s 2>/dev/null) && to=$(date -d "$value" +%s 2>/dev/null) && [ "$to" -lt "$from" ]; then
      echo "$value is before the backup, which began at $started: use an earlier backup." >&2
      exit 1
    fi
    ;;
esac
[ ! -e "$data" ] || { echo "$data exists. Move it aside." >&2; exit 1; }
umask 077
cp -R -- "$backup" "$data"
# A backup taken from a standby would continue to follow its primary.
rm -f -- "$data/standby.signal" "$data/postmaster.pid"
# The backup of a restored server contains the target of that recovery, at which this one would stop too.
if [ -e "$backup/postgresql.auto.conf" ]; then
  sed '/^recovery_target/d' "$backup/postgresql.auto.conf" >"$data/postgresql.auto.conf"
fi
{
  echo "restore_command = 'cp \"$wal/%f\" \"%p\"'"
  echo "recovery_target_action = promote"
  if [ -n "$kind" ]; then echo "recovery_target_$kind = '$value'"; fi
} >>"$data/postgresql.auto.conf"
touch "$data/recovery.signal"
