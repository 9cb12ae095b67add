#!/bin/sh
# Installs Node.js from nodejs.org: install-node.sh VERSION [FOLDER], for example install-node.sh 24.21.0 (default folder
# /usr/local). Verifies the signature of the release's checksums, then the checksum of the archive. Needs curl, gpgv and xz.
set -eu
version=${1:?usage: install-node.sh VERSION [FOLDER]}
folder=${2:-/usr/local}
# A mirror must have the same layout. The keyring contains the keys of the people who sign releases.
dist=${NODE_DIST_URL:-https://nodejs.org/dist}
keyring=${NODE_KEYRING_URL:-https://raw.githubusercontent.com/nodejs/release-keys/HEAD/gpg/pubring.kbx}
case $(uname -m) in
  x86_64) machine=x64 ;;
  aarch64 | arm64) machine=arm64 ;;
  *) echo "No build of Node.js for $(uname -m) is known here." >&2; exit 1 ;;
esac
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT INT TERM
cd "$work"
archive="node-v$version-linux-$machine.tar.xz"
curl -fsSL -o keyring.kbx "$keyring"
curl -fsSL -o SHASUMS256.txt.asc "$dist/v$version/SHASUMS256.txt.asc"
curl -fsSLO "$dist/v$version/$archive"
gpgv --keyring "$work/keyring.kbx" --output SHASUMS256.txt SHASUMS256.txt.asc 2>gpgv.log || { cat gpgv.log >&2; exit 1; }
grep -F " $archive" SHASUMS256.txt | sha256sum -c -
tar -xJf "$archive" -C "$folder" --strip-components=1 --no-same-owner
"$folder/bin/node" --version
