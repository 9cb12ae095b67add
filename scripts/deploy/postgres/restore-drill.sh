#!/bin/sh
# Checks that a base backup and the WAL archive can be restored: restore-drill.sh BACKUP WAL [time|name|lsn VALUE]. Restores to a temporary
# folder, starts a PostgreSQL that listens on no network, and compares the sums of money. Run it as a user other than root, with pg_ctl in PATH,
# PGUSER and PGDATABASE (user and database of the service), SERVICE_SECRET_KEY and SERVICE_BANK. Calls no bank and delivers no webhook.
set -eu
backup=${1:?usage: restore-drill.sh BACKUP WAL [time|name|lsn VALUE]}
wal=${2:?usage: restore-drill.sh BACKUP WAL [time|name|lsn VALUE]}
shift 2
: "${PGUSER:?set it to the database user of the service}"
: "${PGDATABASE:?set it to the database of the service}"
: "${SERVICE_SECRET_KEY:?set it to the secret key of the backup}"
: "${SERVICE_BANK:?set it to the bank of the backup, for example ifthenpay}"
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
folder=$(mktemp -d)
data=$folder/data
trap 'pg_ctl stop -D "$data" -m immediate >/dev/null 2>&1 || true; rm -rf -- "$folder"' EXIT
trap 'exit 1' INT TERM
"$here/restore.sh" "$backup" "$wal" "$data" "$@"
# Only this user can enter the folder of the socket. The settings of the original server are not used: the drill must not archive or wait for a standby.
echo 'local all all trust' >"$folder/hba.conf"
: >"$folder/server.conf"
settings="-c config_file=$folder/server.conf -c hba_file=$folder/hba.conf -c unix_socket_directories=$folder -c listen_addresses="
settings="$settings -c archive_mode=off -c synchronous_standby_names= -c hot_standby=off -c fsync=off"
pg_ctl start -D "$data" -W -s -l "$folder/log" -o "$settings"
# The server ends by itself when the archive does not reach the target.
until sed -n 8p "$data/postmaster.pid" 2>/dev/null | grep -q ready; do
  sleep 0.2
  pg_ctl status -D "$data" >/dev/null 2>&1 || { cat "$folder/log" >&2; exit 1; }
done
export PGHOST="$folder" PGPORT=5432
node "$here/check-money.mjs"
# Checks the secret key, the schema and the bank of the backup.
SERVICE_DATABASE_URL="postgres://$PGUSER@localhost/$PGDATABASE?host=$folder" node "$root/src/cli.ts" merchant list --limit 1 --json >/dev/null
