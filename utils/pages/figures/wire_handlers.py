"""Tables of docs/wire-handlers.md: packets per second of servers."""
import plot

COMMAND = "scripts/bench-switch --write"


def scaling_table(rows):
    lines = ["| payload, bytes | cores | plain C: packets/s | of 1 core | core us a packet "
             "| acisd: packets/s | of 1 core | core us a packet | of plain C | per time of the cores "
             "| lost |", "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"]
    for row in rows:
        line = f"| {row['bytes']} | {row['cores']} "
        for name in ("plain", "acisd"):
            got = row[name]
            line += f"| {got['rate']:,.0f} | {got['scale']:.2f} | {got['cpu_us']:.2f} "
        lost = max(row[name]["lost"] for name in ("plain", "acisd"))
        lines.append(line + f"| {row['ratio']:.2f} | {row['cpu_ratio']:.2f} | {lost:.2%} |")
    return "\n".join(lines)


SERVERS = {"plain": "plain C", "acisd": "acisd", "segments": "acisd --segments"}


def one_core_table(rows):
    lines = ["| payload, bytes | server | packets/s | of plain C | core us a packet | of plain C "
             "| lost |", "|---|---|---|---|---|---|---|"]
    for row in rows:
        for name, title in SERVERS.items():
            got = row[name]
            lines.append(f"| {row['bytes']} | {title} | {got['rate']:,.0f} | {got['ratio']:.2f} "
                         f"| {got['cpu_us']:.2f} | {got['cpu_ratio']:.2f} | {got['lost']:.2%} |")
    return "\n".join(lines)


def tables(result):
    note = f"Load of the machine at the start: {result['load']:.1f} on {result['cores']} cores.\n\n"
    return {"one-core": note + one_core_table(result["one_core"]), "cores": note + scaling_table(result["scaling"])}


def picture(result):
    """Packets per second of each server, on one core and on several."""
    one = [(f"{row['bytes']} bytes", {title: row[name]["rate"] for name, title in SERVERS.items()}) for row in result["one_core"]]
    more = [(f"{row['bytes']} bytes, {row['cores']}", {SERVERS[name]: row[name]["rate"] for name in ("plain", "acisd")})
            for row in result["scaling"]]
    return plot.bars([("one core", one), ("payload, cores of the server", more)], "packets a second")
