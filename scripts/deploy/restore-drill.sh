#!/bin/sh
# Checks that a backup can be restored: restore-drill.sh BACKUP [TRANSACTION]. Works on two copies in a temporary folder, with
# SERVICE_SECRET_KEY and SERVICE_BANK of the backup's service in the environment. Does not start the service, so it calls no bank and delivers no webhook.
set -eu
backup=${1:?usage: restore-drill.sh BACKUP [TRANSACTION]}
transaction=${2:-}
: "${SERVICE_SECRET_KEY:?set it to the secret key of the backup}"
: "${SERVICE_BANK:?set it to the bank of the backup, for example ifthenpay}"
[ -r "$backup" ] || { echo "Cannot read $backup." >&2; exit 1; }
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT INT TERM
# A backup has no -wal and -shm files; those of another database would corrupt it.
cp -- "$backup" "$folder/service.db"
chmod 600 "$folder/service.db"
service() {
  SERVICE_DATABASE_URL="sqlite:$folder/service.db" node "$root/src/cli.ts" "$@" --json
}
# The first command checks the secret key, the schema and the bank of the backup. It reads every page, so it finds damage.
if ! service backup "$folder/checked.db" >"$folder/log" 2>&1; then
  cat "$folder/log" >&2
  ! grep -q damaged "$folder/log" || echo "$backup is damaged: use an earlier backup." >&2
  exit 1
fi
service merchant list --limit 1 >/dev/null
service receipt list --limit 1 >/dev/null
if [ -n "$transaction" ]; then
  service transaction show "$transaction"
else
  echo '{"restored":true}'
fi
