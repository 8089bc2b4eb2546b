#!/bin/sh
# Generates the secrets for compose.cluster.yaml once: database passwords, database URL and first API key. LINKFOLD is
# the command that runs Linkfold; by default, it runs the image that `docker compose --file compose.cluster.yaml build`
# created.
set -eu
folder=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)/secrets
: "${LINKFOLD:=docker run --rm linkfold}"

if [ -e "$folder" ]; then
  echo "$folder already exists. Keep it: the database uses these passwords." >&2
  exit 1
fi
key=$($LINKFOLD keys generate)

password() {
  od -An -N24 -tx1 /dev/urandom | tr -d ' \n'
}
put() {
  printf '%s\n' "$2" > "$making/$1"
  # The secrets are readable by everyone, because each container reads them as a different user. Only the owner can open
  # the folder.
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
# Connections between containers on one machine are not encrypted. Elsewhere, use sslmode=verify-full.
put database-url "postgres://linkfold:$linkfold@primary:5432/linkfold?sslmode=disable"
put first-key "$key"
mv "$making" "$folder"
