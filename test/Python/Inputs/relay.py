"""A network between a host and a switch that loses and doubles datagrams."""
import random
import select
import socket
import threading


class Lossy(threading.Thread):
    """A relay on a port of its own, which drops `drop` of 10 datagrams of each direction in the mean, and doubles as many. With `late`, the switch
    gets each datagram once more after as many others."""

    def __init__(self, address, drop, late=0):
        super().__init__(daemon=True)
        self.late, self.past, self.random = late, [], random.Random(1)
        host, port = address.split(":")
        self.to, self.drop, self.dropped, self.done = (host, int(port)), drop, 0, False
        self.front = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.front.bind(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.front.getsockname()[1]
        self.start()

    def pass_on(self, send):
        chance = 10 * self.random.random()
        if chance < self.drop:
            self.dropped += 1
            return
        send()
        if chance >= 10 - self.drop:
            send()

    def run(self):
        of, back = {}, {}
        while not self.done:
            for ready in select.select([self.front, *back], [], [], 0.1)[0]:
                if ready is not self.front and ready not in back:
                    continue
                content, sender = ready.recvfrom(65536)
                if ready is not self.front:
                    self.pass_on(lambda: self.front.sendto(content, back[ready]))
                    continue
                if sender not in of:
                    of[sender] = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                    of[sender].connect(self.to)
                    back[of[sender]] = sender
                    if len(of) > 16:  # each call of a client has a port of its own
                        gone = of.pop(next(iter(of)))
                        del back[gone]
                        gone.close()
                self.pass_on(lambda: of[sender].send(content))
                if self.late:
                    self.past.append(content)
                    if len(self.past) > self.late:
                        of[sender].send(self.past.pop(0))
