#!/usr/bin/env python3
"""Writes the block events of perf.txt as binary blktrace files, vda.blktrace.CPU."""
import re, struct
ACTIONS = {"block_bio_queue": (1, 4), "block_rq_insert": (12, 4), "block_rq_issue": (7, 6), "block_rq_complete": (8, 7)}
FLAGS = {"A": 11, "S": 3, "M": 12}
with open("vda.blktrace.0", "wb") as zero, open("vda.blktrace.1", "wb") as one:
    sequence = [0, 0]
    for line in open("perf.txt"):
        m = re.match(r"\s*\S.*?\s(\d+) \[(\d+)\]\s+(\d+)\.(\d{9}):\s+block:(\w+): (\d+),(\d+) (\w+) .*?(\d+) \+ (\d+)", line)
        tid, cpu, s, ns, name, major, minor, rwbs, sector, sectors = m.groups()
        act, category = ACTIONS[name]
        bits = 1 << category
        flags = rwbs
        if flags[0] == "F" and len(flags) > 1:
            bits |= 1 << 2
            flags = flags[1:]
        bits |= {"R": 1, "W": 2, "F": 4, "D": 1 << 13, "N": 0}[flags[0]]
        for f in flags[1:]:
            bits |= 1 << (15 if f == "F" else FLAGS[f])
        cpu = int(cpu)
        sequence[cpu] += 1
        sector = 0 if int(sector) >= 1 << 63 else int(sector)
        [zero, one][cpu].write(struct.pack("<IIQQIIIIIHH", 0x65617407, sequence[cpu], int(s) * 10**9 + int(ns), sector, int(sectors) * 512,
                              act | bits << 16, int(tid), int(major) << 20 | int(minor), cpu, 0, 0))
