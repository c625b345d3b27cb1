#!/usr/bin/env python3
"""Writes the MAC of a board as Verilog: LiteEth's with its RGMII PHY for an ECP5, between the pins and beats in the
clock of the array. Check sequences are made and checked, short frames are padded, and clocks are crossed in it.

usage: mac.py --bytes 16 --mhz 50 [--rx-delay 0] [--tx-delay 2] -o acis_mac.v

Run by the Python that has litex and liteeth (utils/rtl/board.py makes it). The ports are those of acis_board's
side of frames, with clk_i and rst_ni, and rgmii_*.
"""
import argparse
import pathlib
import re
import sys

from litex.gen import LiteXModule
from litex.build.lattice.common import lattice_ecp5_trellis_special_overrides
from liteeth.common import eth_phy_description, stream
from liteeth.mac.core import LiteEthMACCore
from liteeth.phy.ecp5rgmii import LiteEthPHYRGMII
from migen import ClockDomain, Record, Signal
from migen.fhdl import verilog

PINS = {"rgmii_rx_clk_i": 1, "rgmii_rx_ctl_i": 1, "rgmii_rx_data_i": 4, "rgmii_tx_clk_o": 1, "rgmii_tx_ctl_o": 1,
        "rgmii_tx_data_o": 4, "rgmii_rst_no": 1}


class LastByte(LiteXModule):
    """A PHY whose last byte is marked as such, without which LiteEth's check of a frame's sequence never fails."""
    dw = 8

    def __init__(self, phy):
        self.sink, self.source = phy.sink, stream.Endpoint(eth_phy_description(8))
        self.comb += [phy.source.connect(self.source, omit={"last_be"}), self.source.last_be.eq(phy.source.last)]


class Mac(LiteXModule):
    def __init__(self, beat_bytes, rx_delay, tx_delay):
        self.clk_i, self.rst_ni = Signal(name="clk_i"), Signal(name="rst_ni")
        self.cd_sys = ClockDomain()
        self.comb += [self.cd_sys.clk.eq(self.clk_i), self.cd_sys.rst.eq(~self.rst_ni)]
        pin = {name: Signal(width, name=name) for name, width in PINS.items()}
        clocks = Record([("tx", 1), ("rx", 1)])
        pads = Record([("rx_ctl", 1), ("rx_data", 4), ("tx_ctl", 1), ("tx_data", 4), ("rst_n", 1)])
        self.comb += [
            clocks.rx.eq(pin["rgmii_rx_clk_i"]), pads.rx_ctl.eq(pin["rgmii_rx_ctl_i"]),
            pads.rx_data.eq(pin["rgmii_rx_data_i"]), pin["rgmii_tx_clk_o"].eq(clocks.tx),
            pin["rgmii_tx_ctl_o"].eq(pads.tx_ctl), pin["rgmii_tx_data_o"].eq(pads.tx_data),
            pin["rgmii_rst_no"].eq(pads.rst_n)]
        self.phy = LiteEthPHYRGMII(clocks, pads, rx_delay=rx_delay * 1e-9, tx_delay=tx_delay * 1e-9,
                                   with_inband_status=False)
        self.marked = LastByte(self.phy)
        self.core = LiteEthMACCore(self.marked, dw=8 * beat_bytes)
        self.ios = {self.clk_i, self.rst_ni, *pin.values()}
        self.stream("rx", self.core.source, out=True, ready=False)
        self.stream("tx", self.core.sink, out=False, ready=True)

    def stream(self, name, end, out, ready):
        """Ports of one side; `out` of the MAC. What comes from the network cannot wait."""
        fields = ["valid", "data", "last", "last_be"] + ["error"] * out
        for field in fields:
            port = Signal(len(getattr(end, field)), name=f"{name}_{field}_{'o' if out else 'i'}")
            self.comb += port.eq(getattr(end, field)) if out else getattr(end, field).eq(port)
            self.ios.add(port)
        if ready:
            port = Signal(name=f"{name}_ready_o")
            self.comb += port.eq(end.ready)
            self.ios.add(port)
        else:
            self.comb += end.ready.eq(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bytes", type=int, required=True, metavar="N", help="of a beat")
    parser.add_argument("--rx-delay", type=float, default=0, metavar="NS",
                        help="by which what comes is later than its clock, beside what the PHY does (default 0)")
    parser.add_argument("--tx-delay", type=float, default=2, metavar="NS",
                        help="by which the clock of what is sent is later than that, 0 where the PHY delays it (default 2)")
    parser.add_argument("-o", type=pathlib.Path, required=True, metavar="FILE")
    args = parser.parse_args()
    mac = Mac(args.bytes, args.rx_delay, args.tx_delay)
    text = str(verilog.convert(mac, mac.ios, name="acis_mac", special_overrides=lattice_ecp5_trellis_special_overrides))
    args.o.write_text(re.sub(r"(?m)^//.*\n", "", text))


if __name__ == "__main__":
    sys.exit(main())
