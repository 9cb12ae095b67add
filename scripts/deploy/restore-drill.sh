#!/bin/sh
# Proves that a copy can be restored: restore-drill.sh COPY [TRANSACTION]. It works on a duplicate in a folder of its own, with the
# SERVICE_SECRET_KEY in the environment, and starts no service: nothing calls the bank, nothing is delivered to a merchant.
set -eu
copy=${1:?usage: restore-drill.sh COPY [TRANSACTION]}
transaction=${2:-}
[ -r "$copy" ] || { echo "$copy cannot be read" >&2; exit 1; }
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT INT TERM
# Without the -wal and -shm files of any other database: a copy has none, and those of another would damage it.
cp -- "$copy" "$folder/service.db"
chmod 600 "$folder/service.db"
service() {
  SERVICE_DATABASE_URL="sqlite:$folder/service.db" "$root/node_modules/.bin/node" "$root/src/cli.ts" "$@" --json
}
# The first command proves the key, the schema and the bank that the copy belongs to.
service merchant list --limit 1 >/dev/null
service receipt list --limit 1 >/dev/null
if [ -n "$transaction" ]; then
  service transaction show "$transaction"
else
  echo '{"restored":true}'
fi
