import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandLine } from '../test/support/command-line.js';

const CONFIG = `approved: []
publicUrl: https://vitrine.acme.example
sources:
  - incidents: incidents
services:
  - { key: "acme:web", name: Web, check: self }
`;

let line: CommandLine;
beforeEach(() => {
  line = new CommandLine(CONFIG, {});
});
afterEach(() => {
  rmSync(line.folder, { recursive: true });
});

const file = (name: string) => join(line.path('incidents'), name);
const text = (name: string) => readFileSync(file(name), 'utf8');
const files = () => readdirSync(line.path('incidents'));

const ID = '2026-11-20-errors-on-the-api';

describe('vitrine incident', () => {
  it('declares an incident in one command, and tells its address', async () => {
    const code = await line.run('incident', 'open', 'Errors on the API!', '--service', 'acme:web', '--message', 'Requests fail.');
    expect([code, line.err]).toEqual([0, []]);
    expect(line.out).toEqual([
      `${file(`${ID}.md`)}: written (investigating).`,
      `Its address, as soon as the folder is collected: https://vitrine.acme.example/status/incidents/${ID}`,
    ]);
    expect(text(`${ID}.md`)).toBe(
      '---\ntitle: Errors on the API!\nimpact: major\nservices:\n  - acme:web\n---\n\n## 2026-11-20T14:00:00Z investigating\n\nRequests fail.\n',
    );
    expect(files()).toEqual([`${ID}.md`]);
  });

  it('tells the address in the API if the pages are off', async () => {
    writeFileSync(line.path('vitrine.yaml'), `${CONFIG}site: false\n`);
    await line.run('incident', 'open', 'Errors on the API!');
    expect(line.out[1]).toBe(`Its address, as soon as the folder is collected: https://vitrine.acme.example/api/v1/status/incidents/${ID}`);
  });

  it('updates and resolves it, and keeps what was written by hand', async () => {
    await line.run('incident', 'open', 'Errors on the API!', '--impact', 'minor', '--state', 'identified');
    const before = text(`${ID}.md`).replace('title:', '# by hand\ntitle:');
    writeFileSync(file(`${ID}.md`), before);
    expect(await line.run('incident', 'update', ID, '--message', 'We know why.')).toBe(0);
    expect(await line.run('incident', 'update', ID, '--state', 'monitoring', '--message', 'Fixed.')).toBe(0);
    expect(await line.run('incident', 'resolve', ID)).toBe(0);
    expect(text(`${ID}.md`)).toBe(
      `${before}\n## 2026-11-20T14:00:00Z identified\n\nWe know why.\n\n## 2026-11-20T14:00:00Z monitoring\n\nFixed.\n\n## 2026-11-20T14:00:00Z resolved\n`,
    );
    expect(line.out.filter((told) => told.includes('written'))).toEqual(
      ['identified', 'identified', 'monitoring', 'resolved'].map((state) => `${file(`${ID}.md`)}: written (${state}).`),
    );
    expect(files()).toEqual([`${ID}.md`]);
  });

  it('never replaces the file of another incident', async () => {
    await line.run('incident', 'open', 'Errors');
    await line.run('incident', 'open', 'Errors');
    await line.run('incident', 'open', '故障');
    expect(files().sort()).toEqual(['2026-11-20-errors-2.md', '2026-11-20-errors.md', '2026-11-20.md']);
  });

  it('lists what is not resolved, or all, also as JSON', async () => {
    await line.run('incident', 'open', 'Errors', '--service', 'acme:web');
    await line.run('incident', 'open', 'Old');
    await line.run('incident', 'resolve', '2026-11-20-old');
    line.out.length = 0;
    expect(await line.run('incident', 'list')).toBe(0);
    expect(line.out).toEqual(['2026-11-20-errors: Errors (investigating, major, acme:web, from 2026-11-20T14:00:00.000Z)']);
    line.out.length = 0;
    await line.run('incident', 'list', '--all', '--json');
    const times = { startedAt: '2026-11-20T14:00:00.000Z', updatedAt: '2026-11-20T14:00:00.000Z' };
    expect(JSON.parse(line.out[0] ?? '')).toEqual([
      { id: '2026-11-20-errors', title: 'Errors', kind: 'declared', state: 'investigating', impact: 'major', services: ['acme:web'], ...times },
      { id: '2026-11-20-old', title: 'Old', kind: 'declared', state: 'resolved', impact: 'major', services: [], ...times },
    ]);
  });

  it('lists titles without characters that control the terminal', async () => {
    await line.run('incident', 'open', 'Errors');
    writeFileSync(file('2026-11-20-errors.md'), text('2026-11-20-errors.md').replace('Errors', '"A\\e[2J\\nB"'));
    line.out.length = 0;
    expect(await line.run('incident', 'list')).toBe(0);
    expect(line.out).toEqual([expect.stringMatching(/^2026-11-20-errors: A \[2J B \(/)]);
  });

  it('reports an invalid file and lists the others', async () => {
    mkdirSync(line.path('incidents'));
    writeFileSync(file('bad.md'), 'x');
    expect(await line.run('incident', 'list')).toBe(1);
    expect(line.out).toEqual(['No unresolved incidents.']);
    expect(line.err).toEqual([expect.stringContaining('bad.md: has no front matter;')]);
    expect(await line.run('incident', 'resolve', 'bad')).toBe(2);
  });

  it.each([
    [['open', 'x', '--impact', 'huge'], /Allowed choices are none, minor, major, critical/],
    [['open', 'x', '--service', 'web', '--anyway'], /services\[0\]: "web" is not a service key/],
    [['open', ''], /title: is empty/],
    [['open', 'x', '--message', '## 2026-11-20T14:00:00Z resolved'], /a line of the message reads as the heading of an update/],
    [['update', 'nothing', '--message', 'x'], /(?:has no incident nothing; run vitrine incident list|does not exist)/],
    [['update', '../vitrine', '--message', 'x'], /(?:has no incident|does not exist)/],
    [['update', ID], /required option '--message <text>' not specified/],
  ])('refuses %j and writes nothing', async (args, message) => {
    expect(await line.run('incident', ...args)).toBe(2);
    expect(line.err.join('\n')).toMatch(message);
    expect(readdirSync(line.folder).filter((name) => name === 'incidents')).toEqual([]);
  });

  it('refuses a state of maintenance, and changes nothing', async () => {
    await line.run('incident', 'open', 'Errors');
    const before = text('2026-11-20-errors.md');
    expect(await line.run('incident', 'update', '2026-11-20-errors', '--state', 'completed', '--message', 'x')).toBe(2);
    expect(await line.run('incident', 'update', '2026-11-20-errors', '--state', 'done', '--message', 'x')).toBe(2);
    expect(line.err).toEqual([
      expect.stringContaining('was not changed, because the new text is invalid: line 8: "completed" is not a state here'),
      expect.stringContaining('"done" is not a state. Use one of investigating,'),
    ]);
    expect(text('2026-11-20-errors.md')).toBe(before);
  });

  it('refuses services that the configuration does not have, unless it is told to take them', async () => {
    const plan = ['maintenance', 'plan', 'New disks', '--from', '2026-11-21T22:00:00Z', '--until', '2026-11-21T23:00:00Z', '--service', 'acme:wbe'];
    for (const command of [['incident', 'open', 'Errors', '--service', 'acme:web', '--service', 'acme:wbe'], plan]) {
      line.err.length = 0;
      expect(await line.run(...command)).toBe(2);
      expect(line.err).toEqual([
        expect.stringMatching(
          /^Not in services of .*: acme:wbe\. Did you mean acme:web\? Correct the key\. If another source brings the service, add --anyway\.$/,
        ),
      ]);
      expect(existsSync(line.path('incidents')) ? readdirSync(line.path('incidents')) : []).toEqual([]);
    }
    line.err.length = 0;
    for (const command of [['incident', 'open', 'Errors', '--service', 'acme:wbe'], plan]) expect(await line.run(...command, '--anyway')).toBe(0);
    expect(line.err).toEqual([]);
  });

  it('says how to configure the folder', async () => {
    line.write('vitrine.yaml', 'approved: []\n');
    expect(await line.run('incident', 'list')).toBe(2);
    expect(line.err).toEqual([expect.stringContaining('has no folder of incidents. Add "- incidents: incidents" to sources.')]);
  });
});

describe('vitrine incident, with outages that checks have found', () => {
  const check = (time: string, state: string) =>
    JSON.stringify({
      kind: 'check',
      serviceKey: 'acme:web',
      state,
      checkedAt: time,
      provenance: {
        source: 'probe',
        sourceKind: 'confirmed-from-source',
        sourceUrl: 'https://acme.example/',
        confidence: 'high',
        isOfficialSource: true,
      },
    });
  const detected = 'detected:acme:web:20261120T130000Z';

  it('lists those that no file covers, and declares an incident that covers one', async () => {
    mkdirSync(line.path('incidents'));
    const checks = [
      ['2026-11-20T13:00:00Z', 'outage'],
      ['2026-11-20T13:07:00Z', 'operational'],
      ['2026-11-10T13:00:00Z', 'outage'],
      ['2026-11-20T13:58:00Z', 'outage'],
    ] as const;
    line.write('checks.ndjson', checks.map(([time, state]) => check(time, state)).join('\n'));
    await line.run('import', line.path('checks.ndjson'));
    await line.run('collect');
    line.out.length = 0;
    expect([await line.run('incident', 'list'), line.err]).toEqual([0, []]);
    expect(line.out).toEqual([
      'detected:acme:web:20261120T135800Z: Outage of Web (detected, investigating, acme:web, from 2026-11-20T13:58:00.000Z); to declare it: incident open TITLE --service acme:web --covers detected:acme:web:20261120T135800Z',
      `${detected}: Outage of Web (detected, resolved, acme:web, from 2026-11-20T13:00:00.000Z, until 2026-11-20T13:07:00.000Z); to declare it: incident open TITLE --service acme:web --covers ${detected}`,
    ]);
    await line.run('incident', 'open', 'Errors', '--covers', detected, '--covers', 'detected:acme:web:20261120T135800Z');
    expect(text('2026-11-20-errors.md')).toContain(`covers:\n  - ${detected}\n  - detected:acme:web:20261120T135800Z\n`);
    line.out.length = 0;
    await line.run('incident', 'list', '--all', '--json');
    expect(JSON.parse(line.out[0] ?? '')).toMatchObject([
      { id: '2026-11-20-errors', kind: 'declared' },
      { id: 'detected:acme:web:20261110T130000Z', kind: 'detected', state: 'resolved', services: ['acme:web'] },
    ]);
    await line.run('collect');
    await line.run('export', line.path('out.ndjson'));
    expect(readFileSync(line.path('out.ndjson'), 'utf8')).toContain(`"covers":["${detected}",`);
  });

  it('refuses an id that cannot be one', async () => {
    expect(await line.run('incident', 'open', 'x', '--covers', 'a b')).toBe(2);
    expect(line.err.join('\n')).toMatch(/covers\[0\]: is not an id/);
  });
});

describe('vitrine maintenance plan', () => {
  const PLAN = ['maintenance', 'plan', 'New disks', '--service', 'acme:web', '--from', '2026-11-21T22:00:00Z'];

  it('announces maintenance, which update and resolve carry on', async () => {
    expect(await line.run(...PLAN, '--until', '2026-11-22T00:30:00+01:00', '--message', 'Short breaks.')).toBe(0);
    expect(await line.run('incident', 'update', '2026-11-20-new-disks', '--state', 'in_progress', '--message', 'It begins.')).toBe(0);
    expect(await line.run('incident', 'resolve', '2026-11-20-new-disks', '--message', 'Done.')).toBe(0);
    expect(text('2026-11-20-new-disks.md')).toBe(`---
title: New disks
scheduledFor: 2026-11-21T22:00:00Z
scheduledUntil: 2026-11-21T23:30:00Z
services:
  - acme:web
---

## 2026-11-20T14:00:00Z scheduled

Short breaks.

## 2026-11-20T14:00:00Z in_progress

It begins.

## 2026-11-20T14:00:00Z completed

Done.
`);
  });

  it('says that a window is over, and names a service once', async () => {
    const past = ['--from', '2026-11-19T22:00:00Z', '--until', '2026-11-19T23:00:00Z', '--service', 'acme:web'];
    expect(await line.run('maintenance', 'plan', 'New disks', '--service', 'acme:web', ...past)).toBe(0);
    expect(line.err).toEqual(['The maintenance is over already: --until is in the past, so it is shown as completed.']);
    expect(text('2026-11-20-new-disks.md').match(/acme:web/g)).toHaveLength(1);
  });

  it('refuses a window without an end, or whose end is not later', async () => {
    expect(await line.run(...PLAN)).toBe(2);
    expect(await line.run(...PLAN, '--until', 'tomorrow')).toBe(2);
    expect(await line.run(...PLAN, '--until', '2026-11-21T22:00:00Z')).toBe(2);
    expect(line.err.join('\n')).toMatch(/scheduledUntil: is not later than scheduledFor/);
  });
});

describe('vitrine collect', () => {
  it('stores what the commands have written, and vitrine check reports what it cannot use', async () => {
    await line.run('incident', 'open', 'Errors', '--service', 'acme:web');
    line.out.length = 0;
    expect([await line.run('collect'), line.err]).toEqual([0, []]);
    expect(line.out).toContain('incidents incidents: 1 stored, 0 unchanged, 0 removed');
    await line.run('export', line.path('out.ndjson'));
    const records = readFileSync(line.path('out.ndjson'), 'utf8');
    expect(records).toContain('"id":"2026-11-20-errors"');
    expect(records).toContain('"displayName":"Web"');
    writeFileSync(file('bad.md'), 'x');
    expect(await line.run('check')).toBe(1);
    expect(line.err).toEqual([expect.stringContaining('bad.md: has no front matter;')]);
    expect(line.out).toContain(`Reads incidents from ${line.path('incidents')} every 10 s.`);
  });
});
