"""Figures of `holonom bench`, a line each: name<TAB>value<TAB>unit. What the scripts beside this one share."""
import subprocess
import sys


def say(text):
    print(text, file=sys.stderr, flush=True)


def prefix(isa):
    """What stands before a figure's name where an instruction set was asked for."""
    return f"{isa}." if isa else ""


def show(name, value, unit, form=".4g"):
    print(f"{name}\t{value:{form}}\t{unit}", flush=True)


def read(line):
    """Name and value of a line; None of one that is no figure."""
    fields = line.rstrip("\n").split("\t")
    try:
        return (fields[0], float(fields[1])) if len(fields) == 3 else None
    except ValueError:
        return None


def bench(program, subject, isa="", options=()):
    """Runs `holonom bench`, prints its lines as they come, and returns the figures by name. A line that is no figure
    is printed, too, and remarked on: what has been measured so far is not lost by it."""
    figures = {}
    command = [str(program), "bench", subject, *options] + (["--isa", isa] if isa else [])
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            print(prefix(isa) + line, end="", flush=True)
            found = read(line)
            if found is None:
                say(f"holonom bench {subject}: this line is no figure: {line.rstrip()}")
            else:
                figures[found[0]] = found[1]
    if process.returncode != 0:
        sys.exit(f"holonom bench {subject} failed with exit code {process.returncode}")
    return figures


def add_program(parser, default):
    """The option --program, which --holonom was called in compare-peers."""
    parser.add_argument("--program", "--holonom", dest="program", metavar="PATH", default=default,
                        help="the holonom to measure, build/holonom by default (--holonom: the older name)")


def need_program(path):
    if not path.exists():
        sys.exit(f"{path} is not there; build it first: cmake --preset release && cmake --build build, or give --program PATH")
