#!/usr/bin/env python3
"""Where the instructions of a call go, by step of the algorithm: profile.py PROGRAM KIND QUESTION ROBOT

Everything is inlined into one function, so that a profile by functions says nothing. Valgrind counts every instruction, addr2line
tells the inlined functions that it stands in, and the innermost of our algorithms has it. What the program does before and after
its calls is left out by counting N and 2 N of them.
"""

import collections
import re
import subprocess
import sys
import tempfile

CALLS = 500
# Arithmetic, vectors and placements belong to the step that uses them.
STEPS = re.compile(r"crates/appell/src/(?:dynamics|closed|linear|kinematics|question|batch)/(?:.*/)?(\w+)\.rs:")
LEAST = 0.02  # of all instructions: what has less is one row together


def counts(program, words, calls):
    """Instructions by address in the program, and by function elsewhere."""
    with tempfile.NamedTemporaryFile("r") as out:
        command = ["valgrind", "--tool=callgrind", "--dump-instr=yes", "--compress-pos=no", "--compress-strings=no"]
        command += [f"--callgrind-out-file={out.name}", program, *words, str(calls)]
        subprocess.run(command, check=True, capture_output=True)
        found, is_ours, function, is_call = collections.Counter(), False, "", False
        for line in out:
            if line.startswith("ob="):
                is_ours = line.strip().endswith(program)
            elif line.startswith("fn="):
                function = line[3:].strip()
            elif line.startswith("calls="):
                is_call = True  # the next line is what the called function costs: counted there
            elif line.startswith("0x"):
                address, _, count = line.split()
                if not is_call:
                    found[address if is_ours else function] += int(count)
                is_call = False
        return found


def step(frames):
    """The step that a stack of inlined functions, the innermost first, belongs to."""
    for function, place in frames:
        if "sin_cos" in function or "sincos" in function or "rem_pio2" in function:
            return "sines and cosines"
        found = STEPS.search(place)
        if found:
            name = re.sub(r"<.*", "", function).split("::")[-1]
            named = re.fullmatch(r"\w+", name) and not name.startswith("vectorize")
            return f"{found[1]}: {name}" if named else found[1]
    return "other"


def steps(program, addresses):
    command = ["addr2line", "-a", "-i", "-f", "-C", "-e", program]
    text = subprocess.run(command, input="\n".join(addresses), check=True, capture_output=True, text=True).stdout
    found = {}
    for block in re.split(r"^0x", text, flags=re.M)[1:]:
        address, *lines = block.splitlines()
        found[hex(int(address, 16))] = step(list(zip(lines[::2], lines[1::2])))
    return found


def main():
    program, *words = sys.argv[1:]
    once, twice = counts(program, words, CALLS), counts(program, words, 2 * CALLS)
    twice.subtract(once)
    of = steps(program, [place for place in twice if place.startswith("0x")])
    total = collections.Counter()
    for place, count in twice.items():
        total[of.get(place, "memory: " + place if re.match("mem|_?_mem|.*alloc|.*free", place) else "other")] += count
    every = sum(total.values())
    small = sum(count for name, count in total.items() if count < LEAST * every or name == "other")
    rows = [(name, count) for name, count in total.most_common() if count >= LEAST * every and name != "other"]
    for name, count in [*rows, ("the rest", small)]:
        print(f"| {name} | {count / CALLS:.0f} | {100 * count / every:.0f} % |")


main()
