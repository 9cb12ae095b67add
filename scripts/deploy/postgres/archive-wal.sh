#!/bin/sh
# Copies one finished WAL file to the archive: archive-wal.sh PATH NAME FOLDER. In postgresql.conf:
#   archive_mode = on
#   archive_timeout = 60
#   archive_command = '/opt/payment-collection/scripts/deploy/postgres/archive-wal.sh "%p" "%f" /backup/wal'
# FOLDER must be on another machine (a mount), or the archive is lost with the server. PostgreSQL keeps the file until this succeeds.
set -eu
path=$1 name=$2 folder=$3
umask 077
if [ -e "$folder/$name" ]; then
  # PostgreSQL offers a file again after a crash. A file with other content belongs to another server.
  cmp -s -- "$path" "$folder/$name" || { echo "$folder/$name belongs to another server: give each server its own folder." >&2; exit 1; }
else
  cp -- "$path" "$folder/$name.part"
  sync "$folder/$name.part"
  mv -- "$folder/$name.part" "$folder/$name"
fi
# The attempt that moved the file may have ended before this.
sync "$folder"
