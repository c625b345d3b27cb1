#!/usr/bin/env python3
"""Writes what the Vitis flow for RTL kernels needs around acis_shell, for one overlay.

    acis-overlay --emit=sv u280-full.json -o acis_overlay_pkg.sv
    generate.py --overlay acis_overlay_pkg.sv --out folder

  acis_kernel.sv     top level with the port names that Vitis expects
  kernel.xml         ports and arguments
  package_kernel.tcl packs IP and kernel object (Vivado)
  connectivity.cfg   memory ports to HBM banks, streams to a network kernel, clocks (v++)

Sizes come from the generated package, nothing is written down twice. See README.md.
"""
import argparse
import pathlib
import re
import sys
import xml.etree.ElementTree as xml

KERNEL = "acis_kernel"
VENDOR = "acis"
MAX_PORTS = 32
# What ap_clk asks for, by the registers that the array has: none, those behind reads and before
# launches, with them those behind addresses, with those one behind a launch's first slot. It is what
# the estimates of docs/rtl-cost.md leave to the array. The memory blocks of the register files run at
# four times as much, ap_clk_2.
ARRAY_HZ = [25_000_000, 45_000_000, 65_000_000, 90_000_000]

# Registers that are arguments of the kernel: name, offset, bytes; of backend/isa/Shell.td.
SETTINGS = [("mode", "RegMode", 4), ("port", "RegPort", 4), ("packets", "RegPackets", 4),
            ("memory_bytes", "RegMemory", 4), ("bank_shift", "RegBankShift", 4),
            ("deadline", "RegDeadline", 8)]

# Signals of an AXI4 memory port: name, direction, width, what drives or takes it. {p} is the
# port's number; "" for a signal that the kernel does not look at.
MASTER = [
    ("awvalid", "output", "1", "m_o[{p}].axi.awvalid"), ("awready", "input", "1", "m_i[{p}].axi.awready"),
    ("awaddr", "output", "64", "m_o[{p}].axi.awaddr"), ("awlen", "output", "8", "m_o[{p}].axi.awlen"),
    ("awsize", "output", "3", "3'd{size}"), ("awburst", "output", "2", "2'b01"),
    ("awcache", "output", "4", "4'b0011"), ("awprot", "output", "3", "3'b000"),
    ("wvalid", "output", "1", "m_o[{p}].axi.wvalid"), ("wready", "input", "1", "m_i[{p}].axi.wready"),
    ("wdata", "output", "{bits}", "m_o[{p}].data"), ("wstrb", "output", "{bytes}", "m_o[{p}].strobe"),
    ("wlast", "output", "1", "m_o[{p}].axi.wlast"), ("bvalid", "input", "1", "m_i[{p}].axi.bvalid"),
    ("bready", "output", "1", "m_o[{p}].axi.bready"), ("bresp", "input", "2", "m_i[{p}].axi.bresp"),
    ("arvalid", "output", "1", "m_o[{p}].axi.arvalid"), ("arready", "input", "1", "m_i[{p}].axi.arready"),
    ("araddr", "output", "64", "m_o[{p}].axi.araddr"), ("arlen", "output", "8", "m_o[{p}].axi.arlen"),
    ("arsize", "output", "3", "3'd{size}"), ("arburst", "output", "2", "2'b01"),
    ("arcache", "output", "4", "4'b0011"), ("arprot", "output", "3", "3'b000"),
    ("rvalid", "input", "1", "m_i[{p}].axi.rvalid"), ("rready", "output", "1", "m_o[{p}].axi.rready"),
    ("rdata", "input", "{bits}", "m_i[{p}].data"), ("rresp", "input", "2", "m_i[{p}].axi.rresp"),
    ("rlast", "input", "1", "m_i[{p}].axi.rlast"),
]
LITE = [
    ("awvalid", "input", 1, "s_i.awvalid"), ("awready", "output", 1, "s_o.awready"),
    ("awaddr", "input", 12, "s_i.awaddr"), ("wvalid", "input", 1, "s_i.wvalid"),
    ("wready", "output", 1, "s_o.wready"), ("wdata", "input", 32, "s_i.wdata"),
    ("wstrb", "input", 4, "s_i.wstrb"), ("bvalid", "output", 1, "s_o.bvalid"),
    ("bready", "input", 1, "s_i.bready"), ("bresp", "output", 2, "s_o.bresp"),
    ("arvalid", "input", 1, "s_i.arvalid"), ("arready", "output", 1, "s_o.arready"),
    ("araddr", "input", 12, "s_i.araddr"), ("rvalid", "output", 1, "s_o.rvalid"),
    ("rready", "input", 1, "s_i.rready"), ("rdata", "output", 32, "s_o.rdata"),
    ("rresp", "output", 2, "s_o.rresp"),
]


class Sizes:
    """What the overlay's package says."""

    def __init__(self, path):
        text = path.read_text()
        self.name = self._find(r"overlay `([^`]*)`", text, path)
        self.banks = int(self._find(r"MemBanks = (\d+);", text, path))
        self.bits = 32 * int(self._find(r"Lanes = (\d+);", text, path))
        latency = {name: int(self._find(rf"{name} = (\d+);", text, path))
                   for name in ("InputLatency", "LaunchLatency", "IndexLatency")}
        self.registers = (0 if not (latency["InputLatency"] and latency["LaunchLatency"])
                          else 1 if not latency["IndexLatency"]
                          else 1 + latency["LaunchLatency"])
        self.ports = 1 + self._find(r"PeMemory = \d+'b([01]+);", text, path).count("1")
        if self.ports > MAX_PORTS:
            sys.exit(f"error: {path}: {self.ports} memory ports (one for the program and the scalar "
                     f"unit, one for each PE with memory); Vitis allows {MAX_PORTS}")

    @staticmethod
    def _find(pattern, text, path):
        found = re.search(pattern, text)
        if not found:
            sys.exit(f"error: {path}: no '{pattern}'; is it what acis-overlay --emit=sv writes?")
        return found.group(1)

    def masters(self):
        return [f"m{p:02}_axi" for p in range(self.ports)]


def offsets(rtl):
    """Registers of backend/isa/Shell.td by name."""
    text = (rtl.parents[2] / "backend/isa/Shell.td").read_text()
    return {n: int(v, 16) for n, v in re.findall(r"def (Reg\w+) : Constant<0x([0-9a-f]+),", text)}


def declared(direction, width, name):
    width = int(width)
    range_ = f"[{width - 1}:0]" if width > 1 else ""
    kind = "output logic" if direction == "output" else "input  logic"
    return f"  {kind} {range_:8} {name}"


def wired(direction, port, signal):
    return f"  assign {port} = {signal};" if direction == "output" else f"  assign {signal} = {port};"


def top_level(sizes):
    byte_count = sizes.bits // 8
    fill = {"bits": sizes.bits, "bytes": byte_count, "size": byte_count.bit_length() - 1}
    buses = ":".join(["s_axi_control", "stream_in", "stream_out"] + sizes.masters())
    ports = ['  (* X_INTERFACE_INFO = "xilinx.com:signal:clock:1.0 ap_clk CLK",\n'
             f'     X_INTERFACE_PARAMETER = "ASSOCIATED_BUSIF {buses}, ASSOCIATED_RESET ap_rst_n" *)\n'
             + declared("input", 1, "ap_clk"),
             '  // For the register files: four times ap_clk, edges aligned.\n'
             '  (* X_INTERFACE_INFO = "xilinx.com:signal:clock:1.0 ap_clk_2 CLK" *)\n'
             + declared("input", 1, "ap_clk_2"),
             '  (* X_INTERFACE_INFO = "xilinx.com:signal:reset:1.0 ap_rst_n RST",\n'
             '     X_INTERFACE_PARAMETER = "POLARITY ACTIVE_LOW" *)\n'
             + declared("input", 1, "ap_rst_n"),
             '  (* X_INTERFACE_INFO = "xilinx.com:signal:interrupt:1.0 interrupt INTERRUPT",\n'
             '     X_INTERFACE_PARAMETER = "SENSITIVITY LEVEL_HIGH" *)\n'
             + declared("output", 1, "interrupt")]
    ports += [declared(d, w, f"s_axi_control_{n}") for n, d, w, _ in LITE]
    connections = [".s_i(s_i)", ".s_o(s_o)", ".m_i(m_i)", ".m_o(m_o)"]
    for name, direction, port in (("stream_in", "input", "in"), ("stream_out", "output", "out")):
        back = "output" if direction == "input" else "input"
        io, oi = ("i", "o") if direction == "input" else ("o", "i")
        ports += [declared(direction, 1, f"{name}_tvalid"), declared(back, 1, f"{name}_tready"),
                  declared(direction, sizes.bits, f"{name}_tdata"),
                  declared(direction, byte_count, f"{name}_tkeep"),
                  declared(direction, 1, f"{name}_tlast")]
        connections += [f".{port}_{s}_{oi if s == 'tready' else io}({name}_{s})"
                        for s in ("tvalid", "tready", "tdata", "tkeep", "tlast")]
    signals = ["  acis_shell_pkg::lite_request_t s_i;", "  acis_shell_pkg::lite_response_t s_o;",
               f"  acis_bus_pkg::card_request_t m_o[{sizes.ports}];",
               f"  acis_bus_pkg::card_response_t m_i[{sizes.ports}];"]
    assigns = [wired(direction, f"s_axi_control_{name}", to) for name, direction, _, to in LITE]
    assigns += [wired(direction, f"{master}_{name}", signal.format(p=p, **fill))
                for name, direction, _, signal in MASTER for p, master in enumerate(sizes.masters())]
    for master in sizes.masters():
        ports += [declared(d, w.format(**fill), f"{master}_{n}") for n, d, w, _ in MASTER]
    lines = [f"// The kernel for overlay `{sizes.name}`: acis_shell with the port names of Vitis.",
             "// Generated by runtime/hardware/rtl/package/generate.py.",
             f"module {KERNEL} (", ",\n".join(ports), ");"]
    lines += signals
    lines += ["", "  // The reset comes from far away.",
              "  logic [2:0] reset_q;",
              "  always_ff @(posedge ap_clk)",
              "    reset_q <= {reset_q[1:0], ap_rst_n};", "",
              "  acis_shell u_shell (",
              "    .clk_i(ap_clk), .clk_ram_i(ap_clk_2), .rst_ni(reset_q[2]), .interrupt_o(interrupt),",
              "    " + ",\n    ".join(connections), "  );", ""]
    return "\n".join(lines + assigns + ["endmodule", ""])


def kernel_xml(sizes, registers):
    root = xml.Element("root", versionMajor="1", versionMinor="6")
    kernel = xml.SubElement(root, "kernel", {
        "name": KERNEL, "language": "ip_c", "vlnv": f"{VENDOR}:kernel:{KERNEL}:1.0",
        "attributes": "", "preferredWorkGroupSizeMultiple": "0", "workGroupSize": "1",
        "interrupt": "true", "hwControlProtocol": "ap_ctrl_chain"})
    ports = xml.SubElement(kernel, "ports")
    xml.SubElement(ports, "port", name="s_axi_control", mode="slave", range="0x1000",
                   dataWidth="32", portType="addressable", base="0x0")
    for master in sizes.masters():
        xml.SubElement(ports, "port", name=master, mode="master", range="0xFFFFFFFFFFFFFFFF",
                       dataWidth=str(sizes.bits), portType="addressable", base="0x0")
    for name, mode in (("stream_in", "read_only"), ("stream_out", "write_only")):
        xml.SubElement(ports, "port", name=name, mode=mode, dataWidth=str(sizes.bits),
                       portType="stream")
    arguments = xml.SubElement(kernel, "args")

    def argument(name, qualifier, port, size, offset, kind):
        xml.SubElement(arguments, "arg", name=name, addressQualifier=str(qualifier),
                       id=str(len(arguments)), port=port, size=f"0x{size:x}",
                       offset=f"0x{offset:03x}", type=kind, hostOffset="0x0",
                       hostSize=f"0x{size:x}")

    base = registers["RegBase"]
    argument("program", 1, "m00_axi", 8, base, "void*")
    for p, master in enumerate(sizes.masters()[1:], 1):
        argument(f"memory{p - 1}", 1, master, 8, base + 12 * p, "void*")
    argument("memory", 1, "m00_axi", 8, base + 12 * sizes.ports, "void*")
    for name, register, size in SETTINGS:
        argument(name, 0, "s_axi_control", size, registers[register],
                 "uint" if size == 4 else "ulong")
    for name in ("stream_in", "stream_out"):
        argument(name, 4, name, 8, 0, f"stream<ap_axiu<{sizes.bits},0,0,0>>&")
    xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + xml.tostring(root, encoding="unicode") + "\n"


def connectivity(sizes, mac):
    lines = [f"# Kernel {KERNEL} on overlay `{sizes.name}`, for v++ --config.",
             "[connectivity]", f"nk={KERNEL}:1:{KERNEL}_1"]
    lines += [f"sp={KERNEL}_1.{master}:HBM[0:{sizes.banks - 1}]" for master in sizes.masters()]
    if mac:
        lines += [f"stream_connect={mac}.M_AXIS:{KERNEL}_1.stream_in",
                  f"stream_connect={KERNEL}_1.stream_out:{mac}.S_AXIS"]
    clock = ARRAY_HZ[sizes.registers]
    lines += ["[clock]", f"freqHz={clock}:{KERNEL}_1.ap_clk",
              f"freqHz={4 * clock}:{KERNEL}_1.ap_clk_2"]
    return "\n".join(lines) + "\n"


def package_tcl(sizes):
    lines = [
        f"# Packs {KERNEL} for overlay `{sizes.name}` as IP and as a kernel object:",
        "#   vivado -mode batch -source package_kernel.tcl -tclargs <rtl> <generated> <part> <out.xo>",
        "# rtl: runtime/hardware/rtl; generated: folder of acis_isa_pkg.sv, acis_overlay_pkg.sv and of what",
        "# generate.py wrote; part: xcu280-fsvh2892-2L-e for the U280.",
        "lassign $argv rtl generated part xo",
        f"create_project -force {KERNEL}_pack ./{KERNEL}_pack -part $part",
        "# Packages first, in the order of their imports.",
        "foreach file {acis_isa_pkg.sv acis_overlay_pkg.sv} {",
        "  add_files -norecurse [file join $generated $file]", "}",
        "add_files -norecurse [glob -directory $rtl */*.sv */*.svh]",
        f"add_files -norecurse [file join $generated {KERNEL}.sv]",
        "set_property include_dirs [glob -directory $rtl -type d *] [current_fileset]",
        "set_property verilog_define {SYNTHESIS} [current_fileset]",
        f"set_property top {KERNEL} [current_fileset]",
        "update_compile_order -fileset sources_1",
        f"ipx::package_project -root_dir ./{KERNEL}_ip -vendor {VENDOR} -library kernel \\",
        "  -taxonomy /KernelIP -import_files -set_current true",
        "set core [ipx::current_core]",
        "set_property sdx_kernel true $core",
        "set_property sdx_kernel_type rtl $core",
        "set_property core_revision 1 $core",
        "foreach parameter [ipx::get_user_parameters -of_objects $core] {",
        "  ipx::remove_user_parameter [get_property NAME $parameter] $core", "}"]
    for bus in ["s_axi_control", "stream_in", "stream_out"] + sizes.masters():
        lines.append(f"ipx::associate_bus_interfaces -busif {bus} -clock ap_clk $core")
    lines += [
        "set_property supported_families {} $core",
        "set_property auto_family_support_level level_2 $core",
        "ipx::create_xgui_files $core",
        "ipx::update_checksums $core",
        "ipx::check_integrity -kernel $core",
        "ipx::save_core $core",
        "close_project",
        f"package_xo -force -xo_path $xo -kernel_name {KERNEL} -ip_directory ./{KERNEL}_ip \\",
        "  -kernel_xml [file join $generated kernel.xml]", ""]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--overlay", type=pathlib.Path, required=True, metavar="PKG",
                        help="acis_overlay_pkg.sv")
    parser.add_argument("--out", type=pathlib.Path, required=True, metavar="FOLDER")
    parser.add_argument("--mac", metavar="NAME",
                        help="network kernel that the streams are connected to, with ports M_AXIS "
                             "and S_AXIS (for example cmac_0)")
    args = parser.parse_args()
    rtl = pathlib.Path(__file__).resolve().parent.parent
    sizes = Sizes(args.overlay)
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / f"{KERNEL}.sv").write_text(top_level(sizes))
    (args.out / "kernel.xml").write_text(kernel_xml(sizes, offsets(rtl)))
    (args.out / "connectivity.cfg").write_text(connectivity(sizes, args.mac))
    (args.out / "package_kernel.tcl").write_text(package_tcl(sizes))


if __name__ == "__main__":
    main()
