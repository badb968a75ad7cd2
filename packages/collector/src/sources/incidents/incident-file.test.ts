import { readIncidentFile } from './incident-file.js';

const at = (text: string) => Date.parse(text);

const FILE = `---
title: Errors on the widget API
impact: major
services:
  - acme:web
  - { key: "acme:api", state: degraded }
---

## 2026-11-20T13:55:00Z investigating

Requests fail.

## What this is not

A heading without a date is part of the text.

## 2026-11-20T14:58:00+01:00 resolved
`;

const problemsOf = (text: string) => readIncidentFile(text).problems;

describe('readIncidentFile', () => {
  it('reads the keys, and the updates in their order', () => {
    expect(readIncidentFile(FILE)).toEqual({
      problems: [],
      file: {
        title: 'Errors on the widget API',
        impact: 'major',
        services: [
          { key: 'acme:web', state: null },
          { key: 'acme:api', state: 'degraded' },
        ],
        startedAt: null,
        window: null,
        url: null,
        covers: null,
        updates: [
          {
            state: 'investigating',
            createdAt: at('2026-11-20T13:55:00Z'),
            body: 'Requests fail.\n\n## What this is not\n\nA heading without a date is part of the text.',
          },
          { state: 'resolved', createdAt: at('2026-11-20T13:58:00Z'), body: '' },
        ],
      },
    });
  });

  it('takes a service that is written twice as one, with its last state', () => {
    const text = FILE.replace(/services:\n(?:  .*\n)+/, 'services: [acme:web, acme:api, { key: acme:web, state: degraded }]\n');
    expect(readIncidentFile(text).file?.services).toEqual([
      { key: 'acme:web', state: 'degraded' },
      { key: 'acme:api', state: null },
    ]);
  });

  it('reads the ids of detected incidents that it covers', () => {
    const text = FILE.replace('impact: major', 'impact: major\ncovers: ["detected:acme:web:20261120T135500Z"]');
    expect(readIncidentFile(text).file?.covers).toEqual(['detected:acme:web:20261120T135500Z']);
    expect(problemsOf(FILE.replace('impact: major', 'impact: major\ncovers: [a b, true]'))).toEqual([
      expect.stringMatching(/^covers\[0\]: is not an id; write an id of 1 to 200 visible ASCII characters/),
      expect.stringMatching(/^covers\[1\]: is not an id;/),
    ]);
  });

  it('rejects front matter that would take long to parse', () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `key${String(index)}: 1`).join('\n');
    expect(problemsOf(`---\n${keys}\n---\n`)).toEqual(['has front matter of more than 16384 characters; shorten it']);
  });

  it('reads line ends of Windows and a byte order mark', () => {
    expect(readIncidentFile(`\uFEFF${FILE.replaceAll('\n', '\r\n')}`)).toEqual(readIncidentFile(FILE));
  });

  it('reads planned maintenance by its window', () => {
    const text = `---
title: New disks
scheduledFor: 2026-11-21T22:00:00Z
scheduledUntil: 2026-11-21T23:00:00Z
url: https://acme.example/disks
---
## 2026-11-20T10:00:00Z scheduled
`;
    expect(readIncidentFile(text).file).toMatchObject({
      impact: 'maintenance',
      window: { from: at('2026-11-21T22:00:00Z'), until: at('2026-11-21T23:00:00Z') },
      url: 'https://acme.example/disks',
    });
    expect(problemsOf(text.replace('T23', 'T22'))).toEqual(['scheduledUntil: is not later than scheduledFor; write a later time']);
    expect(problemsOf(text.replace('scheduledUntil: 2026-11-21T23:00:00Z\n', ''))).toEqual([
      'scheduledUntil: is missing; write a date and time with offset, such as 2026-11-20T13:41:52Z',
    ]);
    expect(problemsOf(text.replace(' scheduled\n', ' resolved\n'))).toEqual([
      'line 7: "resolved" is not a state here; write one of scheduled, in_progress, verifying, completed',
    ]);
  });

  it.each([
    ['', 'has no front matter; begin the file with a line ---, YAML keys such as title, and another line ---'],
    ['---\ntitle: x\n', 'has no end of its front matter; write a line --- after its last key'],
    ['---\ntitle: [\n---\n', expect.stringMatching(/^has front matter that is not valid YAML: .* \(line 2\); correct it$/) as string],
  ])('says what is wrong with the front matter of %j', (text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });

  it('reports every problem of a file', () => {
    const text = `---
titel: x
impact: huge
services: [web]
---
Hello

## 2026-11-20 investigating
## 2026-11-20T14:00:00Z gone
## 2026-11-31T14:00:00Z resolved
## 2026-11-20T14:00:00Z
`;
    expect(problemsOf(text)).toEqual([
      'titel: is not a key here; did you mean title?',
      'services[0]: "web" is not a service key; write provider:component of A-Z a-z 0-9 _ . : -, at most 64 characters',
      'impact: "huge" is not known; write one of none, minor, major, critical',
      'line 6: text stands before the first update; write a heading such as "## 2026-11-20T13:41:00Z investigating" above it',
      'line 8: "2026-11-20" is not a date and time with offset, or does not exist; write a heading such as "## 2026-11-20T13:41:00Z investigating"',
      'line 9: "gone" is not a state here; write one of investigating, identified, monitoring, resolved, postmortem',
      'line 10: "2026-11-31T14:00:00Z" is not a date and time with offset, or does not exist; write a heading such as "## 2026-11-20T13:41:00Z investigating"',
      'line 11: the heading of an update needs a date and time with offset, and a state; write a heading such as "## 2026-11-20T13:41:00Z investigating"',
    ]);
  });

  it('refuses a file without updates, and updates that are not in order', () => {
    expect(problemsOf('---\ntitle: x\nimpact: none\n---\n')).toEqual([
      'has no update; write a heading such as "## 2026-11-20T13:41:00Z investigating", and its text below',
    ]);
    expect(problemsOf('---\ntitle: x\nimpact: none\n---\n## 2026-11-20T14:00:00Z identified\n## 2026-11-20T13:00:00Z resolved\n')).toEqual([
      'its updates are not in the order of their times; put the oldest first',
    ]);
  });

  it('does not expand a YAML bomb', () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghi'].map((key, index) => `${key}: &${key} [${`*${'abcdefgh'[index] ?? ''},`.repeat(9)}]`).join('\n')}\n`;
    expect(problemsOf(`---\n${bomb}---\n## 2026-11-20T14:00:00Z investigating\n`)).toEqual([
      expect.stringMatching(/^has front matter that is not valid YAML: Excessive alias count/),
    ]);
  });
});
