"""A private X server, a window manager, and the application in it.

Imported by the scripts beside it: their command line is TIERSCOPE OUT
[light|dark] [SCALE].
"""
import json, os, pathlib, shutil, subprocess, sys, tempfile, time

binary, out = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
theme = sys.argv[3] if len(sys.argv) > 3 else 'light'
scale = sys.argv[4] if len(sys.argv) > 4 else '1'
out.mkdir(parents=True, exist_ok=True)
home = tempfile.mkdtemp()
root = pathlib.Path(__file__).resolve().parents[2]  # where assets/samples is
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
    return subprocess.run(['xdotool', *map(str, args)], env=env, check=True, capture_output=True, text=True, timeout=180).stdout.strip()


class Window:
    """The application with its probe."""

    def __init__(self):
        t0 = time.time()
        self.app = subprocess.Popen([binary, '--probe', '--theme', theme], env=env, cwd=root, stdin=subprocess.PIPE,
                                    stdout=subprocess.PIPE, stderr=open(out / 'app.log', 'a'), text=True)
        started.append(self.app)
        self.id = xdo('search', '--sync', '--onlyvisible', '--name', 'Tierscope$').split()[0]
        print('window after %.2f s' % (time.time() - t0))
        xdo('windowactivate', '--sync', self.id)

    def probe(self):
        self.app.stdin.write('\n')
        self.app.stdin.flush()
        return json.loads(self.app.stdout.readline())

    def wait(self, what, condition, seconds=120):
        end = time.time() + seconds
        while time.time() < end:
            p = self.probe()
            if condition(p['State']):
                return p['State']
            time.sleep(0.1)
        raise SystemExit('timeout: %s: %s' % (what, self.probe()['State']))

    def box(self, kind, name):
        """The topmost box of a kind with a name, or whose name begins with it."""
        end = time.time() + 60
        while time.time() < end:
            found = [b for b in self.probe()['Boxes'] if b['Kind'] == kind and b['Name'].startswith(name)]
            if found:
                return ([b for b in found if b['Name'] == name] or found)[-1]
            time.sleep(0.1)
        raise SystemExit('no %s %r in the window' % (kind, name))

    def entry_beside(self, label):
        """The first entry to the right of a label, on its line."""
        at = self.box('label', label)
        right = [b for b in self.probe()['Boxes'] if b['Kind'] == 'entry' and b['X'] > at['X'] and b['Y'] < at['Y'] + at['H'] / 2 < b['Y'] + b['H']]
        return min(right, key=lambda b: b['X'])

    def boxes(self, kind):
        return [b for b in self.probe()['Boxes'] if b['Kind'] == kind]

    def type_into(self, b, text):
        self.move(b['X'] + b['W'] // 2, b['Y'] + b['H'] // 2)
        xdo('click', 1)
        time.sleep(0.4)  # Fyne waits for a second click before it takes the first
        self.key('ctrl+a')
        xdo('type', '--delay', 5, text)
        end = time.time() + 60  # a banner may come meanwhile and move the page down
        while not any(abs(x['X'] - b['X']) < 9 and x['Name'].split('|')[-1] == text for x in self.boxes(b['Kind'])):
            if time.time() > end:
                raise SystemExit('%r was not typed into %s' % (text, b))
            time.sleep(0.1)
        self.key('Return')

    def tap(self, b):
        self.move(b['X'] + b['W'] // 2, b['Y'] + b['H'] // 2)
        xdo('click', 1)

    def axes(self, n):
        """The entries with the values of n axes, from above."""
        end = time.time() + 60
        while time.time() < end:
            found = [b for b in self.boxes('entry') if ',' in b['Name'].split('|')[-1]]
            if len(found) >= n:
                return sorted(found, key=lambda b: b['Y'])
            time.sleep(0.1)
        raise SystemExit('no %d axes in the window' % n)

    def choose(self, select, option):
        """Opens a select and taps an option, unless it is chosen already."""
        if select['Name'] == option:
            return
        before = self.probe()['State']['Overlays']  # the select may be in a dialog
        self.move(select['X'] + select['W'] // 2, select['Y'] + select['H'] // 2)
        xdo('click', 1)
        self.wait('menu', lambda s: s['Overlays'] > before)
        time.sleep(0.3)
        self.click('text', option)
        time.sleep(0.3)

    def project(self):
        return pathlib.Path(self.probe()['State']['Path'])

    def quit(self):
        self.app.stdin.close()
        self.app.wait(60)

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


def drive(story):
    """Runs a story, leaves a picture of a failure, and cleans up."""
    try:
        story()
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
