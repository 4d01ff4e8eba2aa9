#!/bin/sh
# Makes the secrets of compose.yaml, once: in the folder `secrets` beside it, or in the one named.
set -eu
umask 077
folder=${1:-$(dirname "$0")/secrets}
mkdir "$folder"
cd "$folder"
openssl rand -hex 32 > master_key
openssl rand -hex 24 > postgres_password
echo "postgresql://bezant:$(openssl rand -hex 24)@postgres:5432/bezant" > database_url
# Compose mounts each file with the mode that it has here, for accounts that this machine does not
# know. The folder keeps the accounts of this machine out.
chmod 444 ./*
