#!/usr/bin/env python3
"""Watches a model run in a real window, as ten pictures: threads and tasks on the network and in a call graph, the
timeline, the recorded run beside the simulated one, who waits for whom, the critical path.

usage: film.py TIERSCOPE OUT [light|dark] [SCALE] with PROJECT, which has kept its recording, in the environment

As drive.py.
"""
import os, time

from screen import Window, drive, xdo


def ended(title):
    return lambda s: any(j.startswith(title) and j.endswith('done') for j in s['Jobs'] or [])


def main():
    w = Window()
    w.wait('the start page', lambda s: s['Page'] == 'start')
    w.key('ctrl+o')
    w.wait('open dialog', lambda s: s['Overlays'] == 1)
    w.type_into(w.box('entry', 'path of a project'), os.environ['PROJECT'])
    w.wait('the model', lambda s: s['Model'])
    w.box('node', 'pools/')
    w.click('button', 'Watch the model run')
    w.wait('recorded', ended('Record timeline'), 180)
    for n in range(1, 4):  # threads and tasks move
        time.sleep(1)
        w.shot('%02d-network' % n)
    w.click('button', '2 Call graph')
    w.wait('call graph', lambda s: s['Part'].startswith('tier2/'))
    w.box('node', 'graphs/')
    for n in range(4, 6):
        time.sleep(1)
        w.shot('%02d-call-graph' % n)
    w.key('space')  # what is tapped stays in view
    w.click('text', 'Timeline')
    w.wait('timeline', lambda s: s['Page'] == 'timeline')
    w.shot('06-timeline')
    w.click('text', 'beside the recorded run')
    before = len(w.probe()['State']['Jobs'])
    w.click('button', 'Record again')
    w.wait('recorded again', lambda s: len(s['Jobs']) > before and s['Jobs'][-1].endswith('done'), 180)
    w.box('label', 'baseline, recorded and simulated')
    w.shot('07-beside-the-recorded-run')
    w.move(700, 239)  # a worker as it was recorded
    xdo('click', 1)
    w.box('label', 'workers #')  # what it does, and who holds what it waits for
    w.shot('08-who-waits-for-whom')
    w.key('p')
    time.sleep(1)
    w.shot('09-critical-path')
    w.key('0')
    time.sleep(1)
    w.shot('10-whole')
    w.quit()
    print('ok')


drive(main)
