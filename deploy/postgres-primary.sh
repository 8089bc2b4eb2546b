#!/bin/sh
# Run once by the postgres image, on an empty database: the role and the database of Linkfold, and what a replica needs.
# psql reads the passwords itself: in its arguments every user of the machine could see them.
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
