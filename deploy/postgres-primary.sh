#!/bin/sh
# The postgres image runs this script once, on an empty database. It creates Linkfold's role and database, and a role
# and a replication slot for a replica. psql reads the passwords from files, because every user on the machine could see
# its arguments.
set -eu
psql --no-psqlrc --quiet --username "$POSTGRES_USER" --dbname postgres --set ON_ERROR_STOP=1 <<'SQL'
\set linkfold `cat "$LINKFOLD_PASSWORD_FILE"`
\set replication `cat "$REPLICATION_PASSWORD_FILE"`
CREATE ROLE linkfold LOGIN PASSWORD :'linkfold';
CREATE DATABASE linkfold OWNER linkfold;
CREATE ROLE replication LOGIN REPLICATION PASSWORD :'replication';
SELECT pg_create_physical_replication_slot('replica') \g /dev/null
SQL
echo 'host replication replication all scram-sha-256' >> "$PGDATA/pg_hba.conf"
