#!/bin/sh
# Entry point of the replica: copies the primary once, then streams changes from it. Arguments: the server command and
# its settings.
set -eu
umask 077

# PostgreSQL uses a password file only if no other user can read it. pg_basebackup writes the connection string to the
# replica's settings, so the string must not contain the password.
passfile=/tmp/replication.pgpass
printf '*:*:*:replication:%s\n' "$(cat "$REPLICATION_PASSWORD_FILE")" > "$passfile"
primary="host=$PRIMARY_HOST port=${PRIMARY_PORT:-5432} user=replication application_name=replica passfile=$passfile"

if [ ! -e "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  copy=$PGDATA.copying
  # An interrupted copy starts again from the beginning. Only a complete copy is renamed to $PGDATA.
  until
    rm -rf "$copy"
    pg_basebackup --pgdata="$copy" --dbname="$primary" --no-password \
      --write-recovery-conf --slot=replica --wal-method=stream --checkpoint=fast
  do
    echo 'Could not copy the primary yet. Retrying in 2 seconds.' >&2
    sleep 2
  done
  rmdir "$PGDATA"
  mv "$copy" "$PGDATA"
fi

exec "$@"
