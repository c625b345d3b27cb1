"""usage: tls_control.py FOLDER OVERLAY: a switch that is controlled over TLS, by those who may and
those who may not."""
import pathlib
import re
import socket
import ssl
import subprocess
import sys
import time

folder, overlay = pathlib.Path(sys.argv[1]), sys.argv[2]


def files(name, authority="ca"):
    return ["--cert", folder / f"{name}.pem", "--key", folder / f"{name}.key",
            "--ca", folder / f"{authority}.pem"]


def start(name):
    process = subprocess.Popen(["acisd", "--config", overlay, "--control-tls", "127.0.0.1:0",
                                *files(name), "--control", folder / "local.sock"],
                               stdout=subprocess.PIPE, text=True)
    address = process.stdout.readline().split()[-1]
    process.stdout.readline()
    return process, address


def ctl(address, who, *command):
    done = subprocess.run(["acisctl", "--control-tls", address, *who, *command],
                          capture_output=True, text=True)
    return done.returncode, re.sub(r"127\.0\.0\.1:\d+", "HERE", done.stdout or done.stderr).strip()


process, address = start("switch")
listen = ["--listen", "127.0.0.1:0"]
admin = files("admin")
print("load", ctl(address, admin, "load", folder / "add.acis", *listen))
print("status", "add_constant" in ctl(address, admin, "status")[1])
print("by name", ctl(address.replace("127.0.0.1", "localhost"), admin, "status")[0])
print("unload", ctl(address, admin, "unload", "--listen", "127.0.0.1:1"))

print("expired:", ctl(address, files("expired"), "status"))
print("foreign:", ctl(address, files("foreign"), "status"))
print("a switch's:", ctl(address, files("elsewhere"), "status"))
print("does not trust:", ctl(address, files("admin", "stranger"), "status"))

# Without a certificate, without TLS, and one that says nothing.
host, port = address.rsplit(":", 1)
context = ssl.create_default_context(cafile=folder / "ca.pem")
try:
    with context.wrap_socket(socket.create_connection((host, int(port))), server_hostname=host) as none:
        none.sendall(b'{"command": "status"}\n')
        print("no certificate:", none.recv(100))
except ssl.SSLError as error:
    print("no certificate:", error.reason)
with socket.create_connection((host, int(port))) as plain:
    plain.sendall(b'{"command": "status"}\n')
    print("no TLS:", b"handlers" in plain.recv(4096))
silent = socket.create_connection((host, int(port)))
old = ssl.create_default_context(cafile=folder / "ca.pem")
old.maximum_version = ssl.TLSVersion.TLSv1_2
old.load_cert_chain(folder / "admin.pem", folder / "admin.key")
try:
    old.wrap_socket(socket.create_connection((host, int(port))), server_hostname=host)
    print("TLS 1.2: taken")
except (ssl.SSLError, ConnectionError) as error:
    print("TLS 1.2: refused")

# One that takes its time to read gets all of a long answer.
context.load_cert_chain(folder / "admin.pem", folder / "admin.key")
with context.wrap_socket(socket.create_connection((host, int(port))), server_hostname=host) as slow:
    slow.sendall(b'{"command"')
    time.sleep(0.2)
    slow.sendall(b': "status"}\n')
    reply = b""
    while chunk := slow.recv(7):
        reply += chunk
    print("in pieces:", reply.startswith(b"{") and reply.endswith(b"}\n"))

status = ctl(address, admin, "status")[1]
print([line.split() for line in status.splitlines() if line.startswith("control_refused")])
silent.close()
local = subprocess.run(["acisctl", "--control", folder / "local.sock", "status"], capture_output=True)
print("locally", local.returncode)
process.terminate()
print("exit", process.wait(timeout=10))
