#!/usr/bin/env python3
"""What goes wrong, in the real window: every fault must give a clear message,
lose nothing and leave the window alive.

usage: gui/driven/faults.py TIERSCOPE OUT [light|dark] [SCALE]

As root it mounts a small tmpfs for the full disk; otherwise that part is left
out, and it says so. Needs: xvfb xdotool openbox imagemagick, and a Go for the
program that crashes.
"""
import json, os, pathlib, shutil, subprocess, time

from screen import Window, drive, home, out, root, started, xdo

here = pathlib.Path(home)


def opened(w, path):
    """Types a path into the open dialog."""
    w.click('text', 'Model')  # a key needs the window's focus, not a field's
    w.key('ctrl+o')
    w.wait('open dialog', lambda s: s['Overlays'] == 1)
    w.type_into(w.box('entry', 'path of a project'), str(path))  # Enter opens it


def told(w, picture, *words):
    """Waits for a notice with the words, and shows that the window lives."""
    s = w.wait('a notice with %s' % (words,), lambda s: all(x in s['Notice'] for x in words), 120)
    print('%-12s %s' % (picture, s['Notice']))
    w.shot(picture)
    w.click('text', 'Help')
    w.wait('help', lambda s: s['Page'] == 'help')
    w.click('text', 'Model')
    return w.wait('back', lambda s: s['Page'] == 'model')


def copy(name):
    to = here / name
    shutil.copytree(root / 'assets/samples/cache.tier', to)
    return to


def broken_files(w):
    corrupt = copy('corrupt.tier')
    model = (corrupt / 'model/model.json').read_text()
    (corrupt / 'model/model.json').write_text(model[:len(model) // 2])
    opened(w, corrupt)
    s = told(w, '01-corrupt', 'corrupt.tier was not opened', 'model.json')
    assert s['Model'] == 'cache', 'the open model is lost: %s' % s['Model']

    opened(w, here / 'nowhere.tier')
    told(w, '02-missing', 'nowhere.tier was not opened', 'does not exist')

    newer = copy('newer.tier')
    manifest = json.loads((newer / 'project.json').read_text())
    manifest['version'] = 99
    (newer / 'project.json').write_text(json.dumps(manifest))
    opened(w, newer)
    told(w, '03-newer', 'newer')

    bad = here / 'bad.csv'
    bad.write_text('workers,R [ms]\n2,12\n4,\nsix,14\n')
    opened(w, bad)
    end, rows = time.time() + 60, []  # until the import dialog has taken the place of the other one
    while not rows and time.time() < end:
        rows = [b['Name'] for b in w.boxes('label') if 'row 3' in b['Name']]
        time.sleep(0.1)
    assert rows and 'row 4' in rows[0], 'no rows are named: %s' % rows
    print('%-12s %s' % ('04-csv', rows[0].replace('\n', ' | ')))
    w.shot('04-csv')
    w.click('button', 'Cancel')
    w.wait('no dialog', lambda s: s['Overlays'] == 0)
    (here / 'image.csv').write_bytes(bytes(range(256)) * 20)
    opened(w, here / 'image.csv')
    told(w, '05-no-csv', 'image.csv')


def full_disk(w):
    if os.geteuid() != 0:
        print('06-full      left out: only root can mount a small disk')
        return
    small = here / 'small'
    small.mkdir()
    subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', str(small)], check=True)
    try:
        project = small / 'cache.tier'
        shutil.copytree(root / 'assets/samples/cache.tier', project)
        opened(w, project)
        w.wait('the project', lambda s: s['Path'] == str(project))
        with open(small / 'ballast', 'wb', buffering=0) as f:
            try:
                while True:
                    f.write(bytes(4096))
            except OSError:
                pass
        w.click('text', 'Scenarios')
        w.wait('scenarios', lambda s: s['Page'] == 'scenarios')
        w.type_into(w.entry_beside('workers'), '7')
        s = w.wait('a scenario', lambda s: s['Settings'])
        told(w, '06-full', 'no space left')
        w.click('text', 'Scenarios')
        s = w.wait('simulated all the same', lambda s: any(j == 'Simulate %s: done' % s['Scenario'] for j in s['Jobs'] or []), 120)
        assert s['Settings'], 'the scenario is lost'
        w.shot('07-full-answer')
        (small / 'ballast').unlink()
        w.type_into(w.entry_beside('workers'), '6')
        end = time.time() + 60
        while not list((project / 'scenarios').glob('*.json')):
            assert time.time() < end, 'with room again the scenario is not saved'
            time.sleep(0.2)
        opened(w, here / 'cache.tier')  # let go of the small disk
        w.wait('another project', lambda s: s['Path'] != str(project))
        time.sleep(1)
    finally:
        subprocess.run(['umount', '-l', str(small)])


def crash(w):
    program = here / 'crash'
    program.mkdir()
    (program / 'go.mod').write_text('module crash\n\ngo 1.24\n')
    (program / 'main.go').write_text('''package main

import "time"

func main() {
	time.Sleep(200 * time.Millisecond)
	var m map[string]int
	m["x"] = 1
}
''')
    w.click('text', 'Analyse')
    w.wait('analyse', lambda s: s['Page'] == 'analyse')
    w.type_into(w.box('entry', 'such as ./shop-web|'), str(program))
    w.type_into(w.box('entry', 'such as shop-web.tier|'), str(here / 'crash.tier'))
    w.tap(max((b for b in w.boxes('button') if b['Name'] == 'Analyse'), key=lambda b: b['Y']))
    w.wait('it failed', lambda s: any('Analyse' in j and j.endswith('failed') for j in s['Jobs'] or []), 240)
    print('%-12s %s' % ('08-crash', w.probe()['State']['Notice'][:300]))
    w.shot('08-crash')
    w.click('text', 'Model')
    s = w.wait('alive', lambda s: s['Page'] == 'model')
    assert s['Model'] == 'cache', 'the open model is lost'


def main():
    w = Window()
    w.wait('the start page', lambda s: s['Page'] == 'start')
    w.click('button', 'Open Cache')
    w.wait('the sample', lambda s: s['Model'] == 'cache')
    broken_files(w)
    opened(w, copy('cache.tier'))
    full_disk(w)
    crash(w)
    w.quit()
    print('ok')


drive(main)
