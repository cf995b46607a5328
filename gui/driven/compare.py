#!/usr/bin/env python3
"""Compares two scenarios, and then two builds, on every page of a real window: network, call graph, table,
breakdown and distribution, timeline, heat map.

usage: compare.py TIERSCOPE OUT [light|dark] [SCALE]

As drive.py, with a picture of every page while two things are compared.
"""
import pathlib, time

from builds import another
from screen import Window, drive, home, xdo


def done(title):
    return lambda s: any(j == title + ': done' for j in s['Jobs'] or [])


def ended(title):
    return lambda s: any(j.startswith(title) and j.endswith('done') for j in s['Jobs'] or [])


def every_page(w, sort):
    """Pictures the seven views of what is compared."""
    w.click('text', 'Scenarios')
    w.wait('scenarios', lambda s: s['Page'] == 'scenarios')
    over, also = sorted((b for b in w.boxes('select') if b['Y'] > w.box('label', 'over')['Y'] - 20), key=lambda b: b['X'])[-2:]
    w.choose(also, 'workers')  # neither is what the scenario changes
    w.choose(over, 'keys')
    w.wait('map', ended('Map of keys'), 300)
    w.shot('40-%s-map' % sort)
    w.click('text', 'Model')
    w.wait('model', lambda s: s['Page'] == 'model')
    w.click('button', '1 Network')
    w.box('node', 'pools/')
    w.box('label', 'orange: more in B')
    w.shot('41-%s-network' % sort)
    w.click('button', '2 Call graph')
    w.wait('call graph', lambda s: s['Part'].startswith('tier2/'))
    w.box('node', 'graphs/')
    w.shot('42-%s-call-graph' % sort)
    w.click('button', 'Table of the graph')
    w.shot('43-%s-table' % sort)
    w.click('button', 'Table of the graph')
    w.click('text', 'Explain')
    w.wait('explain', lambda s: s['Page'] == 'explain')
    w.shot('44-%s-breakdown-distribution' % sort)
    w.click('text', 'Timeline')
    w.wait('timeline', lambda s: s['Page'] == 'timeline')
    w.click('button', 'Record a timeline')
    w.wait('recorded', ended('Record timeline'), 180)
    w.box('label', 'A: ')
    w.shot('45-%s-timeline' % sort)
    w.move(700, 260)
    xdo('click', 1)
    time.sleep(0.5)
    w.shot('46-%s-timeline-tapped' % sort)


def scenarios(w):
    w.click('button', 'Open Cache under a lock')
    w.wait('the sample', lambda s: s['Model'])
    w.click('text', 'Scenarios')
    w.wait('scenarios', lambda s: s['Page'] == 'scenarios')
    w.wait('baseline simulated', done('Simulate baseline'), 180)
    w.type_into(w.entry_beside('cores'), '1')
    s = w.wait('a scenario', lambda s: s['Settings'])
    w.wait('scenario simulated', done('Simulate ' + s['Scenario']), 180)
    w.wait('curve', ended('Curve of cores'), 180)
    w.click('button', 'Compare, on every page')
    print('difference:', w.box('label', 'scenario A has a makespan')['Name'])
    every_page(w, 'scenarios')
    w.click('button', 'Swap the sides')
    w.box('label', 'baseline has a makespan')
    w.key('ctrl+z')
    w.box('label', 'scenario A has a makespan')
    w.click('button', 'Stop comparing')


def builds(w):
    """The open model, of which an older build took half as long again."""
    now, old = w.project(), pathlib.Path(home) / 'older.json'
    another(now / 'model' / 'model.json', old, 1.5)
    for path in (old, now):  # what was open before can be compared
        w.key('ctrl+o')
        w.wait('open dialog', lambda s: s['Overlays'] == 1)
        w.type_into(w.box('entry', 'path of a project'), str(path))
        w.wait('open', lambda s: s['Path'] == str(path))
    w.click('text', 'Scenarios')
    w.wait('scenarios', lambda s: s['Page'] == 'scenarios')
    w.click('text', 'as measured') if w.probe()['State']['Scenario'] != 'baseline' else None
    w.click('button', 'Compare, on every page')
    w.choose(min((b for b in w.boxes('select') if b['Name'] == 'baseline'), key=lambda b: (b['Y'], b['X'])), 'build older')
    w.wait('the older build', ended('Simulate build older'), 180)
    print('difference:', [b['Name'] for b in w.boxes('label') if 'makespan' in b['Name']][:1])
    every_page(w, 'builds')
    w.click('button', 'Stop comparing')


def main():
    w = Window()
    w.wait('the start page', lambda s: s['Page'] == 'start')
    scenarios(w)
    builds(w)
    w.quit()
    print('ok')


drive(main)
