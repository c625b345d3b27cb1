// The prose of docs/isa.md.

def Conventions : Chapter<"Conventions", [{
TODO
}]>;
def Instructions : Chapter<"Instructions", "TODO">;
def MachineState : Chapter<"Machine state", "TODO">;
def Operations : Chapter<"Operations of a functional unit", "TODO">;
def ContextWords : Chapter<"Context words", "TODO">;
