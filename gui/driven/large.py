#!/usr/bin/env python3
"""Opens a project in a real window, goes through every page and drags a knob: how long each takes,
the longest time that the window answered nothing, and the memory that it needs.

usage: large.py TIERSCOPE OUT [light|dark] [SCALE] with PROJECT in the environment

As drive.py, with a picture of every page. The project is copied before.
"""
import os, pathlib, re, shutil, threading, time

from screen import Window, drive, home, xdo

RAIL = ('Model', 'Scenarios', 'Experiments', 'Explain', 'Timeline', 'Disk', 'Validate', 'Compare', 'Optimise', 'Ledger', 'Report')


class silence:
    """Asks the window all the time, and keeps the longest time without an answer, and the last answer."""

    def __init__(self, w):
        self.longest, self.w, self.over = 0, w, False
        self.seen = w.probe()

    def __enter__(self):
        self.asking = threading.Thread(target=self.ask)
        self.asking.start()
        return self

    def ask(self):
        while not self.over:
            began = time.time()
            self.seen = self.w.probe()
            self.longest = max(self.longest, time.time() - began)
            time.sleep(0.02)

    def __exit__(self, *_):
        self.over = True
        self.asking.join()


def memory(w):
    for line in pathlib.Path('/proc/%d/status' % w.app.pid).read_text().splitlines():
        if line.startswith('VmRSS'):
            return int(line.split()[1]) // 1024


def answered(seen):
    """Whether a replication of the current scenario is in the figure of the page."""
    return any(re.match(r'sharpening: \d|\d+ replications?, seed', b['Name']) for b in seen['Boxes'] if b['Kind'] == 'label')


def drag(w):
    """Drags the first slider of the page, and waits for the first point of the new curve."""
    w.click('text', 'Scenarios')
    w.wait('scenarios', lambda s: s['Page'] == 'scenarios')
    w.wait('the baseline', lambda s: 'Simulate baseline: done' in (s['Jobs'] or []), 180)
    b = min(w.boxes('slider'), key=lambda b: b['Y'])
    y = b['Y'] + b['H'] // 2
    w.move(b['X'] + b['W'] // 4, y)
    with silence(w) as s:
        xdo('mousedown', 1)
        for step in range(20):
            xdo('mousemove', '--window', w.id, b['X'] + b['W'] * (20 + step) // 80, y)
            time.sleep(0.03)
        time.sleep(0.1)
        began = time.time()
        xdo('mouseup', 1)
        while not (s.seen['State']['Settings'] and answered(s.seen)):
            assert time.time() < began + 60, s.seen['State']
            time.sleep(0.01)
        print('drag: %s, the first point of the curve %.2f s after the last move' % (s.seen['State']['Settings'], time.time() - began + 0.1))
        while 'Simulate %s: done' % s.seen['State']['Scenario'] not in (s.seen['State']['Jobs'] or []):
            assert time.time() < began + 120, s.seen['State']
            time.sleep(0.01)
        print('drag: the answer after %.2f s' % (time.time() - began + 0.1))
    print('drag: silent for at most %4.0f ms, %d MB' % (1000 * s.longest, memory(w)), flush=True)
    w.shot('71-dragged')


def main():
    project = pathlib.Path(home) / 'large.tier'
    shutil.copytree(os.environ['PROJECT'], project)
    w = Window()
    w.wait('the start page', lambda s: s['Page'] == 'start')
    w.key('ctrl+o')
    w.wait('open dialog', lambda s: s['Overlays'] == 1)
    began = time.time()
    w.type_into(w.box('entry', 'path of a project'), str(project))
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
    drag(w)
    w.quit()
    print('ok')


drive(main)
