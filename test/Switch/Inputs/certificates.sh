# usage: certificates.sh FOLDER: authorities, and certificates of a switch and of those who may
# and may not control it.
set -e
cd "$1"
authority() {
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=$1" \
    -keyout "$1.key" -out "$1.pem" 2>/dev/null
}
# signed NAME AUTHORITY DAYS USAGE
signed() {
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=$1" \
    -keyout "$1.key" -out "$1.csr" 2>/dev/null
  printf 'subjectAltName=IP:127.0.0.1,DNS:localhost\nextendedKeyUsage=%s\n' "$4" > "$1.ext"
  openssl x509 -req -in "$1.csr" -CA "$2.pem" -CAkey "$2.key" -CAcreateserial -days "$3" \
    -extfile "$1.ext" -out "$1.pem" 2>/dev/null
}
authority ca
authority stranger
signed switch ca 2 serverAuth
signed admin ca 2 clientAuth
signed expired ca -1 clientAuth
signed foreign stranger 2 clientAuth
signed elsewhere ca 2 serverAuth
