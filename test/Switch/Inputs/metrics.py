"""acisd's counters over HTTP: right, to several at once, and to clients that ask wrongly or not at all."""
import re
import socket
import subprocess
import time
import urllib.request

daemon = subprocess.Popen(["acisd", "--metrics", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
said = daemon.stdout.readline()
address = re.search(r"metrics at http://([\d.]+):(\d+)/metrics", said)
where = (address.group(1), int(address.group(2)))
daemon.stdout.readline()


def ask(request, patience=10):
    with socket.create_connection(where, patience) as client:
        client.sendall(request)
        answer = b""
        try:
            while chunk := client.recv(65536):
                answer += chunk
        except ConnectionError:
            pass
        return answer.decode().partition("\r\n")[0]


try:
    with urllib.request.urlopen("http://%s:%d/metrics" % where, timeout=10) as answer:
        text = answer.read().decode()
        print(answer.status, answer.headers["Content-Type"])
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    print(len(lines) > 20 and all(re.fullmatch(r'acis_\w+(\{[^}]*\})? \d+', line) for line in lines))
    print(ask(b"GET /metrics?x=1 HTTP/1.1\r\nHost: a\r\n\r\n"))
    print(ask(b"GET / HTTP/1.1\r\n\r\n"))
    print(ask(b"POST /metrics HTTP/1.1\r\n\r\n"))
    print(ask(b"nothing that is HTTP\r\n\r\n"))
    print(ask(b"GET /metrics HTTP/1.1\r\nX: " + b"x" * 9000))
    # Clients that say nothing keep nobody out for longer than 5 s.
    silent = [socket.create_connection(where, 10) for _ in range(20)]
    start = time.monotonic()
    print(ask(b"GET /metrics HTTP/1.1\r\n\r\n", 60), time.monotonic() - start < 30)
    # In pieces.
    with socket.create_connection(where, 10) as client:
        for byte in b"GET /metrics HTTP/1.1\r\n\r\n":
            client.sendall(bytes([byte]))
        print(client.recv(15).decode())
    for client in silent:
        client.close()
finally:
    daemon.terminate()
    print("ended", daemon.wait())
