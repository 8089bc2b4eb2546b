#!/bin/sh
# The postgres image runs this once, on an empty database. Creates the role and the database of Linkfold, and a role and
# a slot for a replica. psql reads the passwords from files, because every user of the machine could see its arguments.
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
