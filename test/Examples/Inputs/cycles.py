"""usage: cycles.py report bound: fails if `model` took more than 3 times the bound."""
import json
import sys

cycles = json.load(open(sys.argv[1]))["model"]["cycles"]
bound = int(sys.argv[2])
print(f"{cycles} cycles, {cycles / bound:.2f} times the bound")
sys.exit(not bound <= cycles <= 3 * bound)
