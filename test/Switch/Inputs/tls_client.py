"""usage: tls_client.py FOLDER OVERLAY SOURCES: the Python binding with a switch that is controlled
over TLS, with certificates that are good and that are not."""
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time

sys.path.insert(0, sys.argv[3] + "/compiler/python")
from acis import client

folder, overlay = pathlib.Path(sys.argv[1]), sys.argv[2]
# Python ignores it; the library must do without.
signal.signal(signal.SIGPIPE, signal.SIG_DFL)


def files(certificate="admin", key=None, authority="ca"):
    return {"certificate": folder / f"{certificate}.pem", "key": folder / f"{key or certificate}.key",
            "authority": folder / f"{authority}.pem"}


def words(*values):
    return b"".join(value.to_bytes(4, "little") for value in values)


def refusal(action):
    try:
        action()
        return "taken"
    except client.Failure as failure:
        return failure.code + " " + re.sub(r"127\.0\.0\.\d+:\d+", "HERE", str(failure))


# On all addresses of the machine; the certificate is for one of them.
process = subprocess.Popen(
    ["acisd", "--config", overlay, "--control-tls", "0.0.0.0:0", "--cert", folder / "switch.pem",
     "--key", folder / "switch.key", "--ca", folder / "ca.pem"], stdout=subprocess.PIPE, text=True)
port = process.stdout.readline().split()[-1].rsplit(":", 1)[1]
process.stdout.readline()
address = f"127.0.0.1:{port}"

with client.Switch(address, **files()) as switch:
    handler = switch.load(folder / "add.acis")
    answers = handler.stream(words(*range(64)), packet_bytes=64)
    print(f"loaded at {handler.address.rsplit(':', 1)[0]}, streamed",
          answers == words(*range(42, 106)))
    print("counted", handler.counters().received, handler.counters().processed)
    with client.Switch(f"localhost:{port}", **files()) as other:
        print("by name", other.attach(handler.address).counters().sent == 4)
    handler.unload()
    print(refusal(handler.counters))
    for who in ("expired", "foreign", "elsewhere"):
        print(f"{who}:", refusal(lambda: client.Switch(address, **files(who))))
    print("does not trust:", refusal(lambda: client.Switch(address, **files(authority="stranger"))))
    print("another's host:", refusal(lambda: client.Switch(f"127.0.0.2:{port}", **files())))
    print("not a key:", refusal(lambda: client.Switch(address, **files(key="foreign"))))
    print("no file:", refusal(lambda: client.Switch(address, **files("missing"))))
    print("half:", refusal(lambda: client.Switch(address, certificate=folder / "admin.pem")))
    for suffix in ("pem", "key"):
        shutil.copy(folder / f"admin.{suffix}", folder / f"me.{suffix}")
    with client.Switch(address, **files("me")) as mine:
        for suffix in ("pem", "key"):
            shutil.copy(folder / f"expired.{suffix}", folder / f"me.{suffix}")
        # The switch hangs up while this is sent.
        print("expires later:", refusal(lambda: mine.load(bytes(8 << 20))))
    process.terminate()
    process.wait(timeout=10)
    print("a gone switch:", refusal(lambda: client.Switch(address, **files())).split()[0])


def hangUp(listener):
    """A switch that answers once, and then says that it ends while it is sent to."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "switch.pem", folder / "switch.key")
    with context.wrap_socket(listener.accept()[0], server_side=True) as first:
        first.recv(100)
        first.sendall(b"{}\n")
        first.unwrap()
    with context.wrap_socket(listener.accept()[0], server_side=True) as second:
        second.recv(100)
        second.shutdown(socket.SHUT_WR)
        time.sleep(0.2)


with socket.create_server(("127.0.0.1", 0)) as listener:
    threading.Thread(target=hangUp, args=[listener], daemon=True).start()
    with client.Switch("127.0.0.1:%d" % listener.getsockname()[1], **files()) as switch:
        print("hangs up:", refusal(lambda: switch.load(bytes(8 << 20))))
