#!/bin/sh
# Starts vaultsvc.mjs, which lies beside this file, with the Node of this machine. A link to this file works, too.
self=$0
while [ -L "$self" ]; do
  target=$(readlink "$self")
  case $target in
    /*) self=$target ;;
    *) self=$(dirname "$self")/$target ;;
  esac
done
if ! command -v node >/dev/null 2>&1; then
  echo 'vaultsvc needs Node 20.19 or later: https://nodejs.org/en/download' >&2
  exit 1
fi
exec node "$(dirname "$self")/vaultsvc.mjs" "$@"
