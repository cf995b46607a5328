#!/usr/bin/env python3
"""Compares a scenario with the baseline on every page of a real window.

usage: compare.py TIERSCOPE OUT [light|dark] [SCALE]

As drive.py, with a picture of every page while two things are compared.
"""
import time

from screen import Window, drive, xdo


def done(title):
    return lambda s: any(j == title + ': done' for j in s['Jobs'] or [])


def main():
    w = Window()
    w.wait('the start page', lambda s: s['Page'] == 'start')
    w.click('button', 'Open Cache under a lock')
    w.wait('the sample', lambda s: s['Model'])
    w.click('text', 'Scenarios')
    w.wait('scenarios', lambda s: s['Page'] == 'scenarios')
    w.wait('baseline simulated', done('Simulate baseline'), 180)
    w.type_into(w.entry_beside('cores'), '1')
    s = w.wait('a scenario', lambda s: s['Settings'])
    w.wait('scenario simulated', done('Simulate ' + s['Scenario']), 180)
    w.wait('curve', lambda s: any(j.startswith('Curve of cores') and j.endswith('done') for j in s['Jobs']), 180)
    w.shot('40-scenario')
    w.click('button', 'Compare, on every page')
    sentence = w.box('label', 'scenario A has a makespan')['Name']
    print('difference:', sentence)
    w.shot('41-compare-scenarios')
    w.choose(w.box('select', '–'), 'workers')
    w.wait('map', lambda s: any(j.startswith('Map of') and j.endswith('done') for j in s['Jobs']), 300)
    w.shot('42-compare-map')
    w.click('text', 'Model')
    w.wait('model', lambda s: s['Page'] == 'model')
    w.box('node', 'pools/')
    w.shot('43-compare-network')
    w.click('button', '2 Call graph')
    w.wait('call graph', lambda s: s['Part'].startswith('tier2/'))
    w.box('node', 'graphs/')
    w.shot('44-compare-call-graph')
    w.click('button', 'Table of the graph')
    w.shot('45-compare-table')
    w.click('button', 'Table of the graph')
    w.click('text', 'Explain')
    w.wait('explain', lambda s: s['Page'] == 'explain')
    w.shot('46-compare-breakdown')
    w.click('text', 'Timeline')
    w.wait('timeline', lambda s: s['Page'] == 'timeline')
    w.click('button', 'Record a timeline')
    w.wait('recorded', lambda s: any(j.startswith('Record timeline') and j.endswith('done') for j in s['Jobs'] or []), 180)
    w.shot('47-compare-timeline')
    w.move(700, 200)
    xdo('click', 1)
    time.sleep(0.5)
    w.shot('48-timeline-tapped')
    w.click('button', 'Swap the sides')
    w.box('label', 'baseline has a makespan')
    w.key('ctrl+z')
    w.box('label', 'scenario A has a makespan')
    w.click('button', 'Stop comparing')
    w.shot('49-not-comparing')
    w.quit()
    print('ok')


drive(main)
