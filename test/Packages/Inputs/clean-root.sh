#!/bin/sh
# Installs packages in a Debian 12 root that has nothing else, uses them as the tutorial's first page does,
# from C and from Python, removes them while a switch runs, and prints what is left; the time to the first
# result on standard error. usage: clean-root.sh PACKAGES ROOT
set -e
packages=$1 root=$2
trap 'rm -rf "$root"' EXIT
mmdebstrap --quiet --mode=root --variant=minbase \
  --setup-hook='mkdir -p "$1/etc/apt"; cp -r /etc/apt/apt.conf.d "$1/etc/apt/"' \
  bookworm "$root" /etc/apt/sources.list.d/debian.sources
mkdir "$root/packages"
cp "$packages"/acis_*.deb "$packages"/acisd_*.deb "$packages"/libacis-dev_*.deb "$root/packages"
cp "$(dirname "$0")/../../../utils/check/first-page.py" "$root"
cat > "$root/use.sh" <<'IN'
set -e
export DEBIAN_FRONTEND=noninteractive
find / -xdev ! -path '/proc*' | sort > /before
# Processor time of what was run: a builtin, so not in a subshell.
processor() { times > /times; tail -n 1 /times | sed 's/[ms]/ /g' | awk '{ print 60 * $1 + $2 + 60 * $3 + $4 }'; }
processor > /begin
start=$(date +%s)
apt-get update -q > /log
apt-get install -y -q --no-install-recommends /packages/*.deb >> /log 2>&1
cd /tmp
cat > scale.c <<'C'
#include <acis.h>

ACIS_HANDLER void scale(const float *restrict in, float *restrict out,
                        const float *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++)
    out[i] = in[i] * 2.5f + 1.0f;
}
C
acisc scale.c --config u280.json -o scale.acis
python3 -c "import struct; open('in.bin', 'wb').write(struct.pack('<4f', 1, 2, 3, 4))"
acis-run scale.acis --config u280.json --in in.bin --out out.bin --engine=model
python3 -c "import struct; print('result', *struct.unpack('<4f', open('out.bin', 'rb').read()))" > result
grep -qx 'result 3.5 6.0 8.5 11.0' result
end=$(date +%s)
processor > /end
echo "seconds from nothing to the result: $((end - start)), of processor time $(paste /begin /end | awk '{ print $2 - $1 }')" >&2
rm /times /begin /end
cat result
apt-get install -y -q --no-install-recommends python3-numpy >> /log 2>&1
(cd / && python3 -I /first-page.py) > page && cut -d, -f1 page
. /usr/share/bash-completion/completions/acisc && echo completes
zcat /usr/share/man/man1/acisd.1.gz | head -1
ls -l /usr/include/acis_near.h /usr/share/pkgconfig/acis-client.pc | wc -l

# As its own user, with the options that are shipped; removed while it runs.
. /etc/default/acisd
setpriv --reuid acisd --regid acisd --clear-groups /usr/bin/acisd $ACISD_OPTIONS > /tmp/said &
daemon=$!
for i in $(seq 100); do grep -q listening /tmp/said && break; sleep 0.1; done
cat /tmp/said
apt-get purge -y -q acis acisd libacis-dev >> /log 2>&1
kill -0 $daemon && echo still there
kill $daemon
wait $daemon && echo ended well
rm -rf /tmp/*
find / -xdev ! -path '/proc*' | sort > /after
comm -13 /before /after | grep -i acis || echo nothing is left
IN
chroot "$root" bash /use.sh
