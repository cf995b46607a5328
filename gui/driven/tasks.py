#!/usr/bin/env python3
"""Walks, in a real window and from a fresh profile, the ten things that a stranger must be able to
do: a first answer, the bottleneck, a what-if, trust at saturation, the cheapest configuration, what a
new build changed, a report, a sweep that is cut off, the command line, and all of it by keyboard.

usage: tasks.py TIERSCOPE OUT [light|dark] [SCALE [TASK…]]

As drive.py; prints the time of each task, with what the script waits for, and leaves pictures,
the last ones in greyscale too. Before each click of the first three a person looks for two seconds.
Tasks are called as the functions below: trust, keyboard, …; without any, all are walked; the first is
always. Needs bin/tierctl beside TIERSCOPE.
"""
import pathlib, subprocess, sys, time

from builds import another
from screen import Window, binary, drive, home, out, root, xdo

tierctl = str(pathlib.Path(binary).parent / 'tierctl')


def ended(title, how='done'):
    return lambda s: any(j.startswith(title) and j.endswith(how) for j in s['Jobs'] or [])


def words(w):
    return ' | '.join(b['Name'] for k in ('label', 'text') for b in w.boxes(k))


class task:
    """Says how long a task took."""

    def __init__(self, number, what):
        self.text = 'task %s, %s' % (number, what)

    def __enter__(self):
        self.began = time.time()

    def __exit__(self, kind, *_):
        if kind is None:
            print('%s: %.1f s' % (self.text, time.time() - self.began), flush=True)


def look():
    """What a person needs to read a page and find the next thing to click."""
    time.sleep(2)


def first(w, began):
    with task(1, 'from the first start to the first what-if answer on a sample'):
        print('the start page %.2f s after the command' % (time.time() - began))
        w.shot('49-start')
        look()
        w.click('button', 'Open Web server')
        w.wait('the sample', lambda s: s['Model'])
        w.box('node', 'pools/')
        look()
        w.click('text', 'Scenarios')
        w.wait('scenarios', lambda s: s['Page'] == 'scenarios')
        look()
        w.type_into(w.entry_beside('workers'), '5')
        s = w.wait('a scenario', lambda s: s['Settings'])
        w.wait('simulated', ended('Simulate ' + s['Scenario']), 180)
        print('answer:', w.box('label', 'Response time')['Name'])
        w.shot('50-first')


def bottleneck(w):
    with task(2, 'the bottleneck, and the proof'):
        look()
        w.click('text', 'Explain')
        w.wait('explain', lambda s: s['Page'] == 'explain')
        look()
        w.tap(max((b for b in w.boxes('button') if b['Name'] == 'Explain'), key=lambda b: b['X']))
        w.wait('explained', ended('Explain'), 300)
        print('verdict:', [b['Name'] for b in w.boxes('label') if 'matters most' in b['Name']])
        w.shot('50-bottleneck')


def whatif(w):
    with task(3, 'what if 8 threads and twice the load'):
        look()
        w.click('text', 'Scenarios')
        w.wait('scenarios', lambda s: s['Page'] == 'scenarios')
        for name, value in (('workers', '8'), ('rate', '400')):
            look()
            w.type_into(w.entry_beside(name), value)
        s = w.wait('changed', lambda s: (s['Settings'] or {}).get('rate') == 400)
        w.wait('simulated', ended('Simulate ' + s['Scenario']), 180)
        print('answer:', w.box('label', 'Response time')['Name'])
        w.shot('50-whatif')


def open_by_name(w, path):
    w.key('ctrl+o')
    w.wait('open dialog', lambda s: s['Overlays'] == 1)
    w.type_into(w.box('entry', 'path of a project'), str(path))


def trust(w):
    with task(4, 'measurements imported, trust at saturation'):
        csv = pathlib.Path(home) / 'own.csv'
        csv.write_text('threads,load [req/s],R [ms],X [1/s]\n3,80,4,80\n3,160,5,160\n3,240,8,239\n')
        open_by_name(w, csv)
        w.box('label', 'load [req/s]')
        names = sorted((b for b in w.boxes('selectentry')), key=lambda b: b['Y'])
        w.type_into(names[0], 'workers')
        w.type_into(names[1], 'rate')
        w.click('button', 'Import')
        w.wait('validate', lambda s: s['Page'] == 'validate')
        w.wait('compared', ended('Compare with own.csv'), 300)
        verdict = [b['Name'] for b in w.boxes('label') if b['Name'].startswith(('YES', 'PARTLY', 'NO', 'CANNOT'))]
        assert verdict, 'no verdict: ' + words(w)
        print('verdict:', verdict[0])
        w.shot('50-trust')


def cheapest(w):
    with task(5, 'the cheapest configuration, and how sure'):
        w.click('text', 'Optimise')
        w.wait('optimise', lambda s: s['Page'] == 'optimise')
        limit = [b for b in w.boxes('entry') if b['Name'].split('|')[-1].startswith('R.p95')][0]
        w.type_into(limit, 'R.p95 <= 200ms')
        w.click('button', 'Search')
        w.wait('searched', ended('Search for the best'), 300)
        answer = [b['Name'] for b in w.boxes('label') if 'P(' in b['Name'] or 'sure' in b['Name'] or 'limits' in b['Name']]
        print('answer:', answer[:1])
        w.shot('51-cheapest')


def builds(w):
    with task(6, 'what a new build changed'):
        old = pathlib.Path(home) / 'old.json'
        now = pathlib.Path(w.project()) / 'model' / 'model.json'
        another(now, old, 0.7)  # the old build computed for 30 % less
        w.click('text', 'More')
        w.click('text', 'Builds')
        w.wait('builds', lambda s: s['Page'] == 'difference')
        w.type_into(w.box('selectentry', ''), str(old))
        w.wait('compared', ended('Compare with ' + str(old)), 300)
        w.shot('52-builds')
        said = words(w)
        assert 'code of' in said, said
        w.click('text', 'More')  # folds them again
        print('builds:', [b['Name'] for b in w.boxes('label') if 'code of' in b['Name']][:1])


def pin(w):
    """Pins the figure of the page."""
    w.key('ctrl+shift+e')
    w.wait('pinned', lambda s: 'pinned' in s['Notice'])
    w.click('button', 'Close the message') if any(b['Name'] == 'Close the message' for b in w.boxes('button')) else w.key('Escape')


def report(w):
    with task(7, 'three figures in a report, with their seeds'):
        for name, page in (('Model', 'model'), ('Validate', 'validate'), ('Scenarios', 'scenarios')):
            w.click('text', name)
            w.wait(page, lambda s: s['Page'] == page)
            if page == 'model':
                w.box('node', 'pools/')
            if page == 'scenarios':
                w.wait('simulated', ended('Simulate baseline'), 180)
            time.sleep(0.5)
            pin(w)
        w.click('text', 'Report')
        w.wait('report', lambda s: s['Page'] == 'report')
        said = [b['Name'] for b in w.boxes('label') if 'seed' in b['Name']]
        assert said, 'no seed: ' + words(w)
        w.shot('53-report')
        w.click('button', 'Write report')
        w.wait('written', ended('Report'), 300)
        html = next(pathlib.Path(w.project()).parent.glob('*.html')).read_text()
        assert html.count('data:image/svg&#43;xml') == 3, 'three figures in the report, and not %d' % html.count('data:image/svg&#43;xml')


def cut_off(w):
    with task(8, 'a sweep cancelled, the window closed and opened, the sweep taken up'):
        w.click('text', 'Experiments')
        w.wait('experiments', lambda s: s['Page'] == 'experiments')
        w.type_into(w.axes(1)[0], ','.join(str(n) for n in range(1, 21)))
        w.box('label', '20 runs')
        w.click('button', 'Run')
        w.wait('some runs', lambda s: any(j.startswith('Sweep of 20') and 'running' in j for j in s['Jobs']))
        time.sleep(1)
        began = time.time()
        w.click('button', 'Cancel')
        w.wait('cancelled', ended('Sweep of 20 runs', 'cancelled'), 30)
        print('seen to be cancelled %.0f ms after the script began to click, with the probe and 150 ms of xdotool' % (1000 * (time.time() - began)))
        print('stopped, by the application\'s own clock, %.1f ms after the tap on Cancel' % max(w.probe()['State']['Stopping']))
        before = w.probe()['State']
        w.quit()
        w = Window()
        w.wait('the start page', lambda s: s['Page'] == 'start')
        w.click('button', pathlib.Path(before['Path']).name)
        s = w.wait('the model again', lambda s: s['Model'] and s['Runs'] >= before['Runs'])
        w.click('text', 'Experiments')
        w.wait('experiments', lambda s: s['Page'] == 'experiments')
        w.type_into(w.axes(1)[0], ','.join(str(n) for n in range(1, 21)))
        w.box('label', '20 runs')
        w.click('button', 'Run')
        s = w.wait('taken up', lambda now: now['Runs'] > s['Runs'], 300)
        w.wait('finished', ended('Sweep of 20 runs'), 300)
        w.shot('54-taken-up')
        assert w.probe()['State']['Runs'] >= s['Runs']
    return w


def command(w):
    with task(9, 'the what-if of the window on the command line'):
        w.click('text', 'Scenarios')
        w.wait('scenarios', lambda s: s['Page'] == 'scenarios')
        w.wait('simulated', ended('Simulate baseline'), 180)
        w.type_into(w.entry_beside('workers'), '8')
        s = w.wait('a scenario', lambda s: s['Settings'])
        w.wait('simulated', ended('Simulate ' + s['Scenario']), 180)
        w.click('button', 'Copy as command')
        w.shot('55-what-if')
        w.click('text', 'Report')  # a field into which the clipboard is pasted, and read
        w.wait('report', lambda s: s['Page'] == 'report')
        w.tap([b for b in w.boxes('entry') if b['Name'].endswith('.html')][0])
        time.sleep(0.5)
        w.key('ctrl+a')
        w.key('ctrl+v')
        time.sleep(1)
        line = [b['Name'].split('|')[-1] for b in w.boxes('entry') if 'tierctl' in b['Name']][0]
        print('command:', line)
        said = subprocess.run(line.replace('tierctl', tierctl, 1), shell=True, capture_output=True, text=True, cwd=root, timeout=250)
        assert said.returncode == 0, said.stderr
        row = next(r for r in said.stdout.splitlines() if 'response time' in r.lower() or r.startswith('R '))
        print('command line says:', ' '.join(row.split()))


def keyboard(w):
    with task(10, 'the bottleneck, a what-if and a pinned figure with the keyboard only'):
        def go(page, name):
            w.key('ctrl+k')
            w.wait('palette', lambda s: s['Overlays'] == 1)
            xdo('type', '--delay', 20, name)
            time.sleep(0.6)
            w.key('Return')
            w.wait(page, lambda s: s['Page'] == page and s['Overlays'] == 0, 30)

        go('explain', 'Explain')
        w.key('ctrl+Return')
        w.wait('explained', ended('Explain'), 300)
        time.sleep(0.5)
        w.shot('56-explained')
        pin(w)
        go('scenarios', 'Scenarios')
        was = w.probe()['State']['Scenario']
        w.key('ctrl+n')
        w.wait('another scenario', lambda s: s['Scenario'] != was)
        for _ in range(60):  # to the first number
            w.key('Tab')
            time.sleep(0.05)
            before = w.probe()['State']['Settings'] or {}
            w.key('Up')
            time.sleep(0.15)
            if (w.probe()['State']['Settings'] or {}) != before:
                break
        s = w.wait('changed', lambda s: s['Settings'])
        w.wait('simulated', ended('Simulate ' + s['Scenario']), 180)
        print('by keyboard:', s['Scenario'], s['Settings'])
        w.shot('57-keyboard')
        for name in ('50-trust', '51-cheapest', '52-builds', '56-explained', '57-keyboard'):
            if (out / (name + '.png')).exists():
                subprocess.run(['convert', str(out / (name + '.png')), '-colorspace', 'Gray', str(out / (name + '-grey.png'))], check=True)


def main():
    began = time.time()
    w = Window()
    w.wait('the start page', lambda s: s['Page'] == 'start')
    first(w, began)
    for one in (bottleneck, whatif, trust, cheapest, builds, report, cut_off, command, keyboard):
        if not sys.argv[5:] or one.__name__ in sys.argv[5:]:
            w = one(w) or w
    w.quit()
    print('ok')


drive(main)
