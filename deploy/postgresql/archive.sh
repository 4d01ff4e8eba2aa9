#!/bin/sh
# Copies a file of PostgreSQL's log to an archive folder, whole or not at all, and onto its disk.
# For archive_command (archive.conf): archive.sh %p %f FOLDER
set -eu
source=$1 name=$2 folder=$3
if [ -e "$folder/$name" ]; then
  # The server asks again where it ended before it had noted the answer.
  cmp -s "$source" "$folder/$name" && exit 0
  echo "$folder/$name is there with other content" >&2
  exit 1
fi
cp "$source" "$folder/$name.part"
sync "$folder/$name.part"
mv "$folder/$name.part" "$folder/$name"
sync "$folder"
