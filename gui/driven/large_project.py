#!/usr/bin/env python3
"""Makes a project for large.py: 1,000 thread pools with 5,000 code fragments, and the ledger of a sweep of 10,000 runs.

usage: large_project.py TIERCTL PROJECT.tier
"""
import json, pathlib, subprocess, sys

tierctl, project = sys.argv[1:]
BACK = 999  # pools that a front pool sends its tasks to


def step(name, kind, to, **more):
    return dict({'id': name, 'class': kind, 'next': [{'to': t, 'p': 1 / len(to)} for t in to]}, **more)


def demand(mean):
    return {'demand_s': {'kind': 'exponential', 'mean': mean}}


def pool(name, sends):
    return {'id': name, 'entry': 'take', 'fragments': [
        step('take', 'in', ['got'], **{'in': {'queue': name}}), step('got', 'fetch', ['work']),
        step('work', 'cpu', [s['id'] for s in sends], **demand(0.001))] + sends}


names = ['front'] + ['back%03d' % i for i in range(BACK)]
graphs = [pool('front', [step('send%03d' % i, 'out', ['take'], out={'to': names[i + 1]}) for i in range(BACK)])]
graphs += [pool(n, [step('reply', 'out', ['take'], out={'to': 'done'})]) for n in names[1:]]
model = {
    'format': 'tierscope-model', 'version': 1, 'name': 'large', 'cpu': {'cores': 8}, 'graphs': graphs,
    'queues': [{'id': n, 'capacity': -1} for n in names], 'pools': [{'id': n, 'graph': n, 'size': 4} for n in names],
    'sinks': [{'id': 'done'}], 'sources': [{'id': 'clients', 'kind': 'poisson', 'rate_per_s': 60, 'to': 'front'}],
    'parameters': [
        {'name': 'workers', 'default': 4, 'min': 1, 'max': 100, 'integer': True, 'unit': 'threads', 'targets': [{'path': 'pools/front/size'}]},
        {'name': 'rate', 'default': 60, 'min': 1, 'max': 500, 'unit': '1/s', 'targets': [{'path': 'sources/clients/rate'}]},
    ],
}
source = pathlib.Path(project).with_suffix('.json')
source.write_text(json.dumps(model))
subprocess.run([tierctl, 'convert', source, project], check=True)
subprocess.run([tierctl, 'sweep', '-q', project, '--axis', 'workers=1..100', '--axis', 'rate=1..100', '--reps', '2', '--duration', '1s', '--warmup',
                'none', '--only', 'R', '--only', 'X class', '--format', 'csv'], check=True, stdout=subprocess.DEVNULL)
