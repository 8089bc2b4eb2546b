#!/bin/sh
# Commands run by root use the service's settings and data. If root starts the server, the server runs as the user
# "linkfold".
program=/usr/lib/linkfold/linkfold
settings=/etc/linkfold/linkfold.env
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}" MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-65536}"

if [ "$(id -u)" -ne 0 ] || [ ! -r "$settings" ]; then exec "$program" "$@"; fi

# The file has the format of a systemd EnvironmentFile. It is parsed instead of sourced, because a shell would execute
# parts of some values.
while IFS= read -r line || [ -n "$line" ]; do
  name=${line%%=*}
  case $name in '' | "$line" | [0-9]* | *[!A-Z0-9_]*) continue ;; esac
  printenv "$name" >/dev/null && continue
  value=${line#*=}
  case $value in \"*\" | \'*\') value=${value#?} value=${value%?} ;; esac
  export "$name=$value"
done <"$settings"
export DATA_DIR="${DATA_DIR:-/var/lib/linkfold}"
if [ "$1" = serve ]; then exec setpriv --reuid linkfold --regid linkfold --init-groups "$program" "$@"; fi
exec "$program" "$@"
