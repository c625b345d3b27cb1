"""Makes the simulation in a program of a build again, with the commands of the build but from other sources."""
import os
import re
import signal
import subprocess
import sys


def shell(command, folder, limit):
    """The command's end; what it started is killed after `limit` seconds."""
    with subprocess.Popen(command, shell=True, cwd=folder, text=True, start_new_session=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        try:
            output, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(command, process.returncode, output)


def commands(build, test, simulation, object_):
    """The commands of the build that make the simulation, the objects that look into it (`object_`, or none),
    and link the program `test`."""
    listed = subprocess.run(["ninja", "-C", str(build), "-t", "commands", test],
                            check=True, text=True, stdout=subprocess.PIPE).stdout.splitlines()
    make = [c for c in listed if f"--prefix {simulation} " in c]
    objects = [c for c in listed if object_ and f"{object_} -c" in c]
    if len(make) != 1 or len(objects) != bool(object_):
        sys.exit(f"error: the build has {len(make)} commands for {simulation} and "
                 f"{len(objects)} for {object_}, expected one")
    return make[0], objects, listed[-1]


def remake(build, work, test, simulation, object_, change, limit):
    """Makes the program at work/test with a simulation in work/simulation, whose command is what `change` makes
    of the build's; what went wrong, or nothing."""
    make, objects, link = commands(build, test, simulation, object_)
    made = work / "simulation"
    made.mkdir()
    steps = [("build", change(make.replace(str(build / "rtl" / simulation), str(made))))]
    for command in objects:
        steps.append(("build", re.sub(rf"\S*{object_}", f"{made}/{object_}",
                                      command.replace(str(build / "rtl" / simulation), str(made)))))
    link = re.sub(rf"\S*rtl/{simulation}/", f"{made}/", link)
    own = f" {made}/{object_}" if object_ else ""
    steps.append(("link", link.replace(f"-o {test}", f"-o {work}/test{own}")))
    for what, command in steps:
        result = shell(command, build, limit)
        if result.returncode != 0:
            lines = result.stdout.strip().splitlines() or ["failed"]
            first = next((line for line in lines if "rror" in line), lines[-1])
            return [f"{what}: {first[:200]}"]
    return []
