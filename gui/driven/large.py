#!/usr/bin/env python3
"""Opens a project in a real window and goes through every page: how long each takes, the
longest time that the window answered nothing, and the memory that it needs.

usage: large.py TIERSCOPE OUT [light|dark] [SCALE] with PROJECT in the environment

As drive.py, with a picture of every page.
"""
import os, pathlib, threading, time

from screen import Window, drive, xdo

RAIL = ('Model', 'Scenarios', 'Experiments', 'Explain', 'Timeline', 'Disk', 'Validate', 'Compare', 'Optimise', 'Ledger', 'Report')


class silence:
    """Asks the window all the time, and keeps the longest time without an answer."""

    def __init__(self, w):
        self.longest, self.w, self.over = 0, w, False

    def __enter__(self):
        self.asking = threading.Thread(target=self.ask)
        self.asking.start()
        return self

    def ask(self):
        while not self.over:
            began = time.time()
            self.w.probe()
            self.longest = max(self.longest, time.time() - began)
            time.sleep(0.02)

    def __exit__(self, *_):
        self.over = True
        self.asking.join()


def memory(w):
    for line in pathlib.Path('/proc/%d/status' % w.app.pid).read_text().splitlines():
        if line.startswith('VmRSS'):
            return int(line.split()[1]) // 1024


def main():
    w = Window()
    w.wait('the start page', lambda s: s['Page'] == 'start')
    w.key('ctrl+o')
    w.wait('open dialog', lambda s: s['Overlays'] == 1)
    began = time.time()
    w.type_into(w.box('entry', 'path of a project'), os.environ['PROJECT'])
    s = w.wait('the model', lambda s: s['Model'], 300)
    print('open: %.1f s, %d runs, %d MB' % (time.time() - began, s['Runs'], memory(w)))
    for name in RAIL:
        b = w.box('text', name)
        w.move(b['X'] + b['W'] // 2, b['Y'] + b['H'] // 2)
        with silence(w) as s:
            xdo('click', 1)
            time.sleep(4)
        print('%-12s silent for at most %4.0f ms, %d MB, on %s' % (name, 1000 * s.longest, memory(w), w.probe()['State']['Page']), flush=True)
        w.shot('70-' + name.lower())
    w.quit()
    print('ok')


drive(main)
