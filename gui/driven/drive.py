#!/usr/bin/env python3
"""Drives the real window with real mouse and keyboard events.

usage: gui/driven/drive.py TIERSCOPE MODEL_OR_PROJECT OUT [light|dark] [SCALE]

Starts a private X server on a free display and a window manager, clicks with
xdotool, finds its targets and waits for results through the window's probe
(tierscope --probe answers each line on stdin with JSON), and writes a picture
of every step to OUT. Exits 0 if every step did what it should.

Needs: xvfb xdotool openbox imagemagick.
"""
import json, os, pathlib, shutil, subprocess, sys, tempfile, time

binary, project, out = sys.argv[1:4]
theme = sys.argv[4] if len(sys.argv) > 4 else 'light'
scale = sys.argv[5] if len(sys.argv) > 5 else '1'
out = pathlib.Path(out)
out.mkdir(parents=True, exist_ok=True)
home = tempfile.mkdtemp()
work = pathlib.Path(home) / pathlib.Path(project).name
(shutil.copytree if os.path.isdir(project) else shutil.copy)(project, work)
started = []


def start_display():
    """A free display number, so that two runs do not collide."""
    r, w = os.pipe()
    size = '%dx%dx24' % (int(1400 * float(scale)), int(900 * float(scale)))
    started.append(subprocess.Popen(['Xvfb', '-displayfd', str(w), '-screen', '0', size, '-dpi', '96', '-nolisten', 'tcp', '-noreset'],
                                    pass_fds=[w], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    os.close(w)
    return ':' + os.read(r, 16).decode().strip()


env = dict(os.environ, DISPLAY=start_display(), HOME=home, XDG_CONFIG_HOME=home + '/config', XDG_CACHE_HOME=home + '/cache',
           XDG_RUNTIME_DIR=home, FYNE_SCALE=scale, LIBGL_ALWAYS_SOFTWARE='1', LC_ALL='C.UTF-8')
env.pop('WAYLAND_DISPLAY', None)
started.append(subprocess.Popen(['openbox'], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))


def xdo(*args):
    return subprocess.run(['xdotool', *map(str, args)], env=env, check=True, capture_output=True, text=True, timeout=60).stdout.strip()


class Window:
    """The application with its probe."""

    def __init__(self):
        t0 = time.time()
        self.app = subprocess.Popen([binary, '--probe', '--theme', theme, str(work)], env=env, stdin=subprocess.PIPE,
                                    stdout=subprocess.PIPE, stderr=open(out / 'app.log', 'a'), text=True)
        started.append(self.app)
        self.id = xdo('search', '--sync', '--onlyvisible', '--name', 'Tierscope$').split()[0]
        print('window after %.2f s' % (time.time() - t0))
        xdo('windowactivate', '--sync', self.id)

    def probe(self):
        self.app.stdin.write('\n')
        self.app.stdin.flush()
        return json.loads(self.app.stdout.readline())

    def wait(self, what, condition, seconds=60):
        end = time.time() + seconds
        while time.time() < end:
            p = self.probe()
            if condition(p['State']):
                return p['State']
            time.sleep(0.1)
        raise SystemExit('timeout: %s: %s' % (what, self.probe()['State']))

    def box(self, kind, name):
        """The last box of a kind whose name begins with name: the topmost."""
        for _ in range(50):
            for b in reversed(self.probe()['Boxes']):
                if b['Kind'] == kind and b['Name'].startswith(name):
                    return b
            time.sleep(0.1)
        raise SystemExit('no %s %r in the window' % (kind, name))

    def entry_beside(self, label):
        """The first entry to the right of a label, on its line."""
        at = self.box('label', label)
        right = [b for b in self.probe()['Boxes'] if b['Kind'] == 'entry' and b['X'] > at['X'] and b['Y'] < at['Y'] + at['H'] / 2 < b['Y'] + b['H']]
        return min(right, key=lambda b: b['X'])

    def move(self, x, y):
        xdo('mousemove', '--window', self.id, x, y)
        time.sleep(0.15)  # Fyne needs a move at the target before the press

    def click(self, kind, name, times=1):
        b = self.box(kind, name)
        self.move(b['X'] + b['W'] // 2, b['Y'] + b['H'] // 2)
        for _ in range(times):
            xdo('click', 1)

    def shot(self, name):
        time.sleep(0.7)
        subprocess.run(['import', '-window', 'root', str(out / (name + '.png'))], env=env, check=True)

    def key(self, *keys):
        xdo('key', *keys)


def main():
    w = Window()
    s = w.wait('the model', lambda s: s['Model'])
    print('open:', s['Model'])
    pool = w.box('node', 'pools/')['Name']
    w.shot('01-network')

    # The three tiers.
    w.click('node', pool)
    w.wait('selection', lambda s: s['Selected'] == pool)
    w.shot('02-pool-selected')
    w.click('node', pool, times=2)
    w.wait('call graph', lambda s: s['Part'].startswith('tier2/'))
    w.shot('03-call-graph')
    g = w.box('graph', '')
    w.move(g['X'] + g['W'] // 2, g['Y'] + g['H'] // 2)
    for _ in range(3):
        xdo('click', 4)
    xdo('mousedown', 1)
    for _ in range(6):
        xdo('mousemove_relative', '--', 12, 6)
        time.sleep(0.03)
    xdo('mouseup', 1)
    w.shot('04-zoomed')
    w.click('button', '3 Resources')
    w.wait('resources', lambda s: s['Part'] == 'tier3')
    w.shot('05-resources')
    w.key('alt+Left')
    w.wait('back', lambda s: s['Part'].startswith('tier2/'))

    # What if: threads and rate typed, R, X and U with intervals.
    w.click('text', 'Scenarios')
    w.wait('scenarios', lambda s: s['Page'] == 'scenarios')
    w.wait('baseline simulated', lambda s: any(j == 'Simulate baseline: done' for j in s['Jobs'] or []), 180)
    w.shot('06-baseline')
    for name, value in (('workers', '8'), ('rate', '80')):
        entry = w.entry_beside(name)
        w.move(entry['X'] + 20, entry['Y'] + entry['H'] // 2)
        xdo('click', 1)
        w.key('ctrl+a')
        xdo('type', value)
        w.key('Return')
    s = w.wait('two changes', lambda s: len(s['Settings'] or {}) == 2)
    print('scenario', s['Scenario'], s['Settings'])
    w.wait('scenario simulated', lambda s: any(j == 'Simulate %s: done' % s['Scenario'] for j in s['Jobs'] or []), 180)
    w.shot('07-what-if')
    rows = [b['Name'] for b in w.probe()['Boxes'] if b['Kind'] == 'text']
    print('numbers:', [r for r in rows if '[' in r][:6])

    # Every other page, by its name in the rail, while nothing blocks.
    for name, page in (('Experiments', 'experiments'), ('Explain', 'explain'), ('Timeline', 'timeline'), ('Validate', 'validate'),
                       ('Compare', 'results'), ('Analyse', 'analyse'), ('Settings', 'settings'), ('Help', 'help'), ('Diagnostics', 'diagnostics')):
        t0 = time.time()
        w.click('text', name)
        w.wait(page, lambda s: s['Page'] == page)
        print('%-12s %.0f ms with the probe' % (page, 1000 * (time.time() - t0)))
        w.shot('08-' + page)
    w.click('text', 'Timeline')
    w.wait('timeline', lambda s: s['Page'] == 'timeline')
    w.click('button', 'Record a timeline')
    w.wait('recorded', lambda s: any(j.startswith('Record timeline') and j.endswith('done') for j in s['Jobs'] or []), 180)
    w.shot('09-timeline')
    w.key('ctrl+k')
    w.wait('palette', lambda s: s['Overlays'] == 1)
    xdo('type', 'cpu')
    w.box('label', 'processor CPU')
    w.shot('10-palette')
    w.key('Escape')
    w.wait('palette closed', lambda s: s['Overlays'] == 0)
    xdo('type', '?')
    w.wait('keys', lambda s: s['Overlays'] == 1)
    w.shot('11-keys')
    w.key('Escape')
    w.wait('keys closed', lambda s: s['Overlays'] == 0)

    # Quit, open again: the scenarios are still there (projects only).
    w.app.stdin.close()
    w.app.wait(20)
    if os.path.isdir(project):
        w = Window()
        w.wait('the model again', lambda s: s['Model'])
        assert (work / 'scenarios').exists(), 'the scenario was not kept'
        w.shot('12-reopened')
        w.app.stdin.close()
        w.app.wait(20)
    print('ok')


try:
    main()
except BaseException:
    subprocess.run(['import', '-window', 'root', str(out / 'failed.png')], env=env)
    raise
finally:
    for p in reversed(started):
        p.terminate()
        try:
            p.wait(5)
        except subprocess.TimeoutExpired:
            p.kill()
    shutil.rmtree(home, ignore_errors=True)
