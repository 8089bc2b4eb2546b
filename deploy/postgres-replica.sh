#!/bin/sh
# The replica's entry point: copies the primary once, then follows it. Arguments: the server and its settings.
set -eu
umask 077

# PostgreSQL reads a password file only when no other user can. The connection is kept in the copy's settings; so the
# password is not.
passfile=/tmp/replication.pgpass
printf '*:*:*:replication:%s\n' "$(cat "$REPLICATION_PASSWORD_FILE")" > "$passfile"
primary="host=$PRIMARY_HOST port=${PRIMARY_PORT:-5432} user=replication application_name=replica passfile=$passfile"

if [ ! -e "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  copy=$PGDATA.copying
  # A copy that was interrupted begins anew, and only a whole one gets the name.
  until
    rm -rf "$copy"
    pg_basebackup --pgdata="$copy" --dbname="$primary" --no-password \
      --write-recovery-conf --slot=replica --wal-method=stream --checkpoint=fast
  do
    echo 'The primary cannot be copied yet; trying again.' >&2
    sleep 2
  done
  rmdir "$PGDATA"
  mv "$copy" "$PGDATA"
fi

exec "$@"
