#!/bin/sh
# Draws what compose.cluster.yaml reads as secrets, once: passwords of the database, its address, the first API key. LINKFOLD is
# how to run the program; by default the image that `docker compose --file compose.cluster.yaml build` made.
set -eu
folder=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)/secrets
: "${LINKFOLD:=docker run --rm linkfold}"

if [ -e "$folder" ]; then
  echo "$folder is there already: the database knows its passwords." >&2
  exit 1
fi
key=$($LINKFOLD keys generate)

password() {
  od -An -N24 -tx1 /dev/urandom | tr -d ' \n'
}
put() {
  printf '%s\n' "$2" > "$making/$1"
  # Each container reads them as another user; users that may not enter the folder cannot.
  chmod 444 "$making/$1"
}

umask 077
making=$folder.making
rm -rf "$making"
mkdir "$making"
linkfold=$(password)
put postgres-password "$(password)"
put replication-password "$(password)"
put linkfold-password "$linkfold"
# Between containers of one machine nothing is encrypted; elsewhere say sslmode=verify-full.
put database-url "postgres://linkfold:$linkfold@primary:5432/linkfold?sslmode=disable"
put first-key "$key"
mv "$making" "$folder"
