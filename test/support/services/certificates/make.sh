#!/bin/sh
# Makes the certificates of the tests anew, good from 2020 to 2119: sh make.sh
# They protect nothing. "other" is a client certificate of a CA that is not trusted, "renewed"
# replaces "server", "expired" has ended, and "later" has not begun.
set -e
cd "$(dirname "$0")"
work=$(mktemp -d)
cat > "$work/config" <<END
[ca]
default_ca = own
[own]
database = $work/index
serial = $work/serial
new_certs_dir = $work
default_md = sha256
unique_subject = no
policy = any
[any]
commonName = supplied
END
: > "$work/index"
openssl rand -hex 8 > "$work/serial"
make() {
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes \
    -keyout "$1.key" -out "$work/$1.csr" -subj "/CN=$1" -config /dev/null
  printf '%b' "$3" > "$work/$1.ext"
  openssl ca -batch -notext -config "$work/config" -in "$work/$1.csr" -out "$1.pem" \
    -extfile "$work/$1.ext" -startdate "${4:-2020}0101000000Z" -enddate "${5:-2119}1231000000Z" $2
}
authority='basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n'
server='subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1\nextendedKeyUsage=serverAuth\n'
make ca '-selfsign -keyfile ca.key' "$authority"
make stranger '-selfsign -keyfile stranger.key' "$authority"
make server '-cert ca.pem -keyfile ca.key' "$server"
make renewed '-cert ca.pem -keyfile ca.key' "$server"
make expired '-cert ca.pem -keyfile ca.key' "$server" 2020 2020
make later '-cert ca.pem -keyfile ca.key' "$server" 2118 2119
make client '-cert ca.pem -keyfile ca.key' 'extendedKeyUsage=clientAuth\n'
make other '-cert stranger.pem -keyfile stranger.key' 'extendedKeyUsage=clientAuth\n'
rm -r "$work" ca.key stranger.key stranger.pem
