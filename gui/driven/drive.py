#!/usr/bin/env python3
"""Drives the real window with real mouse and keyboard events.

usage: gui/driven/drive.py TIERSCOPE OUT [light|dark] [SCALE]

Starts a private X server on a free display and a window manager, clicks with
xdotool, finds its targets and waits for results through the window's probe
(tierscope --probe answers each line on stdin with JSON), and writes a picture
of every step to OUT. Exits 0 if every step did what it should.

Needs: xvfb xdotool openbox imagemagick.
"""
import pathlib, shutil, time

from screen import Window, drive, home, out, scale, xdo

PAGES = (('Compare', 'results'), ('Optimise', 'optimise'), ('Ledger', 'ledger'), ('Analyse', 'analyse'), ('Report', 'report'), ('Settings', 'settings'),
         ('Help', 'help'), ('Diagnostics', 'diagnostics'))


def done(title):
    return lambda s: any(j == title + ': done' for j in s['Jobs'] or [])


def main():
    # A newcomer: nothing is open, a sample is one click away.
    began = time.time()
    w = Window()
    w.wait('the start page', lambda s: s['Page'] == 'start')
    w.shot('01-start')
    w.click('button', 'Open Web server')
    s = w.wait('the sample', lambda s: s['Model'])
    print('open:', s['Model'])
    w.box('node', 'pools/')  # the layout is there
    pool = [b['Name'] for b in w.boxes('node') if b['Name'].startswith('pools/')][-1]
    w.shot('02-network')

    # The three tiers.
    w.click('node', pool)
    w.wait('selection', lambda s: s['Selected'] == pool)
    w.shot('03-pool-selected')
    for attempt in range(5):  # on a busy machine two clicks may come too far apart
        w.click('node', pool, times=2)
        time.sleep(2)
        if w.probe()['State']['Part'].startswith('tier2/'):
            break
    w.wait('call graph', lambda s: s['Part'].startswith('tier2/'))
    w.shot('04-call-graph')
    g = w.box('graph', '')
    w.move(g['X'] + g['W'] // 2, g['Y'] + g['H'] // 2)
    for _ in range(3):
        xdo('click', 4)
    xdo('mousedown', 1)
    for _ in range(6):
        xdo('mousemove_relative', '--', 12, 6)
        time.sleep(0.03)
    xdo('mouseup', 1)
    w.shot('05-zoomed')
    w.click('button', '3 Resources')
    w.wait('resources', lambda s: s['Part'] == 'tier3')
    w.shot('06-resources')
    w.key('alt+Left')
    w.wait('back', lambda s: s['Part'].startswith('tier2/'))

    # What if: threads and rate typed, R, X and U with intervals.
    w.click('text', 'Scenarios')
    w.wait('scenarios', lambda s: s['Page'] == 'scenarios')
    w.wait('baseline simulated', done('Simulate baseline'), 180)
    print('from the start of the window to the first numbers: %.1f s' % (time.time() - began))
    w.shot('07-baseline')
    for name, value in (('workers', '5'), ('rate', '300')):
        w.type_into(w.entry_beside(name), value)
    s = w.wait('two changes', lambda s: len(s['Settings'] or {}) == 2)
    print('scenario', s['Scenario'], s['Settings'])
    w.wait('scenario simulated', done('Simulate ' + s['Scenario']), 180)
    w.shot('08-what-if')
    rows = [b['Name'] for b in w.boxes('text')]
    intervals = [r for r in rows if '[' in r and ']' in r]
    assert len(intervals) >= 6, 'no R, X and U with intervals for two scenarios: %s' % rows
    print('numbers:', intervals[:6])

    # A 4 x 4 sweep, clicking elsewhere meanwhile; another one is cancelled.
    w.click('text', 'Experiments')
    w.wait('experiments', lambda s: s['Page'] == 'experiments')
    w.click('button', 'Add axis')
    entries = w.axes(2)
    selects = sorted((b for b in w.boxes('select') if any(abs(b['Y'] - e['Y']) < 20 * float(scale) for e in entries)), key=lambda b: b['Y'])
    for at, parameter in zip(selects, ('workers', 'rate')):
        w.choose(at, parameter)
    entries = w.axes(2)
    for at, values in zip(entries, ('1,2,4,8', '100,200,400,800')):
        w.type_into(at, values)
    w.box('label', '16 runs')
    w.shot('09-designed')
    w.click('button', 'Run')
    w.wait('sweep running', lambda s: 'Sweep of 16 runs: running' in (s['Jobs'] or []))
    slowest = 0
    for name, page in (('Model', 'model'), ('Timeline', 'timeline'), ('Help', 'help'), ('Settings', 'settings'), ('Experiments', 'experiments')):
        t0 = time.time()
        w.click('text', name)
        w.wait(page, lambda s: s['Page'] == page)
        slowest = max(slowest, time.time() - t0)
        if page == 'timeline':
            w.shot('10-elsewhere')
    print('slowest click while the sweep ran: %.0f ms with the probe and 150 ms of xdotool' % (1000 * slowest))
    w.wait('sweep done', done('Sweep of 16 runs'), 300)
    w.shot('11-swept')
    entries = w.axes(2)
    w.type_into(entries[0], '3,5,6,7,9,10,11,12')
    w.box('label', '32 runs')
    before = w.probe()['State']['Runs']
    w.click('button', 'Run')
    w.wait('a few runs', lambda s: s['Runs'] >= before and any(j.startswith('Sweep of 32') and 'running' in j for j in s['Jobs']))
    time.sleep(1)
    w.click('button', 'Cancel')
    w.wait('cancelled', lambda s: 'Sweep of 32 runs: cancelled' in s['Jobs'], 30)
    w.shot('12-cancelled')

    # Measurements: imported by name, compared, the error read.
    own_csv = pathlib.Path(home) / 'tomcat.csv'
    own_csv.write_text('threads,load [req/s],R [ms],X [1/s],U cpu\n3,200,0.9,200,0.09\n3,600,1.1,600,0.26\n3,1000,1.5,1000,0.45\n')
    w.key('ctrl+o')
    w.wait('open dialog', lambda s: s['Overlays'] == 1)
    w.type_into(w.box('entry', 'path of a project'), str(own_csv))  # Enter opens it
    w.box('label', 'load [req/s]')
    w.shot('13-import')
    names = sorted((b for b in w.boxes('selectentry')), key=lambda b: b['Y'])
    w.type_into(names[0], 'workers')
    w.type_into(names[1], 'rate')
    w.shot('14-mapped')
    w.click('button', 'Import')
    w.wait('validate', lambda s: s['Page'] == 'validate')
    w.wait('compared', lambda s: any(j.startswith('Compare with') and j.endswith('done') for j in s['Jobs'] or []), 300)
    w.choose(max(w.boxes('select'), key=lambda b: b['W']), 'tomcat.csv')
    w.wait('compared with the import', lambda s: 'Compare with tomcat.csv: done' in (s['Jobs'] or []), 300)
    w.shot('15-validated')
    errors = [b['Name'] for b in w.boxes('text') if b['Name'].endswith(' %') and b['Name'][0] in '+−-<']
    assert errors, 'no signed error on the page'
    print('errors:', errors[:4])
    assert (w.project() / 'measured' / 'tomcat.csv').exists(), 'the import was not kept in the project'

    # Export.
    for kind, extension in (('SVG picture', 'svg'), ('PDF picture', 'pdf')):
        w.click('button', 'Save')
        w.wait('save dialog', lambda s: s['Overlays'] == 1)
        if kind != 'SVG picture':
            w.choose(w.box('select', 'SVG picture'), kind)
        target = pathlib.Path(home) / ('figure.' + extension)
        w.type_into([b for b in w.boxes('entry') if b['Name'].endswith('.' + extension)][-1], str(target))
        w.shot('16-save-' + extension)
        w.click('button', 'Save')
        end = time.time() + 30
        while not target.exists() and time.time() < end:
            time.sleep(0.1)
        assert target.stat().st_size > 1000, 'no ' + extension
        shutil.copy(target, out)
        w.wait('the message', lambda s: extension in s['Notice'])  # it moves the page down
        time.sleep(0.5)
        w.wait('no dialog', lambda s: s['Overlays'] == 0)

    # The best configuration under limits.
    w.click('text', 'Optimise')
    w.wait('optimise', lambda s: s['Page'] == 'optimise')
    w.click('button', 'Search')
    w.wait('searched', done('Search for the best configuration'), 600)
    w.shot('17-optimised')
    w.click('text', 'Validate')
    w.click('button', 'Measure …')
    w.wait('measure dialog', lambda s: s['Overlays'] == 1)
    w.box('label', '3 configurations')
    w.shot('18-measure')
    w.click('button', 'Cancel')
    w.wait('no dialog', lambda s: s['Overlays'] == 0)

    # Every other page, by its name in the rail.
    for name, page in PAGES:
        if name == 'Diagnostics':
            w.click('text', 'More')  # unfolds the pages of specialists
        t0 = time.time()
        w.click('text', name)
        w.wait(page, lambda s: s['Page'] == page)
        print('%-12s %.0f ms with the probe' % (page, 1000 * (time.time() - t0)))
        w.shot('20-' + page)
    w.click('text', 'Explain')
    w.wait('explain', lambda s: s['Page'] == 'explain')
    w.tap(max((b for b in w.boxes('button') if b['Name'] == 'Explain'), key=lambda b: b['X']))  # not the breadcrumb
    w.wait('explained', lambda s: any(j.startswith('Explain') and j.endswith('done') for j in s['Jobs'] or []), 300)
    w.shot('21-explained')
    w.click('text', 'Timeline')
    w.wait('timeline', lambda s: s['Page'] == 'timeline')
    w.click('button', 'Record a timeline')
    w.wait('recorded', lambda s: any(j.startswith('Record timeline') and j.endswith('done') for j in s['Jobs'] or []), 180)
    w.shot('22-timeline')
    w.key('ctrl+k')
    w.wait('palette', lambda s: s['Overlays'] == 1)
    xdo('type', 'cpu')
    w.box('label', 'processor CPU')
    w.shot('23-palette')
    w.key('Escape')
    w.wait('palette closed', lambda s: s['Overlays'] == 0)
    xdo('type', '?')
    w.wait('keys', lambda s: s['Overlays'] == 1)
    w.shot('24-keys')
    w.key('Escape')
    w.wait('keys closed', lambda s: s['Overlays'] == 0)

    # Quit, open again from the list of recent projects: everything is there.
    before = w.probe()['State']
    w.quit()
    w = Window()
    w.wait('the start page', lambda s: s['Page'] == 'start')
    w.shot('30-reopened')
    w.click('button', 'web-server.tier')
    w.wait('the model again', lambda s: s['Model'])
    w.click('text', 'Ledger')
    s = w.wait('all runs', lambda s: s['Page'] == 'ledger' and s['Runs'] >= 18)
    assert s['Runs'] == before['Runs'], 'runs before %d, after %d' % (before['Runs'], s['Runs'])
    w.shot('31-ledger')
    w.click('text', 'Scenarios')
    w.box('label', 'A')
    w.wait('from the ledger', done('Simulate baseline'))
    w.shot('32-scenarios')
    w.click('text', 'Validate')
    w.wait('measurements', lambda s: any(j.startswith('Compare with') and j.endswith('done') for j in s['Jobs'] or []), 300)
    w.shot('33-validate')
    w.click('text', 'Experiments')
    w.wait('experiments', lambda s: s['Page'] == 'experiments')
    w.shot('34-experiments')
    w.quit()
    print('ok')


drive(main)
