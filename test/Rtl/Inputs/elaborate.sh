# elaborate.sh SOURCE BUILD FOLDER: the top level of FOLDER, elaborated, as FOLDER/top.xml.
set -e
rtl=$1/runtime/hardware/rtl
folders=""
for folder in $rtl/*/; do
  folders="$folders -y $folder +incdir+$folder"
done
verilator --xml-only -Wno-fatal -Wno-lint -Wno-style -Wno-SYMRSVDWORD $folders \
  $2/backend/isa/acis_isa_pkg.sv $rtl/common/acis_fu_pkg.sv $3/acis_overlay_pkg.sv \
  $rtl/common/acis_pkg.sv $rtl/common/acis_bus_pkg.sv $rtl/shell/acis_shell_pkg.sv \
  $rtl/shell/acis_net_pkg.sv \
  $3/acis_kernel.sv --top-module acis_kernel --Mdir $3/verilator --xml-output $3/top.xml \
  > $3/verilator.log 2>&1 || { cat $3/verilator.log; exit 1; }
