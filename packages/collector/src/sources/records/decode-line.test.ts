import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { INCIDENT_KINDS, INCIDENT_STATES, incidentStatesOf, repositoryRefOf } from '@vitrine/core';
import { aCommit, anIncident, aSync } from '@vitrine/core/testing';
import { isTorture, sampled } from '@vitrine/test-support';
import fc from 'fast-check';
import { anyText } from '../../../../../test/any-text.js';
import { AT_ONCE_MS, hostileRepetitions, processorMs } from '../../../../../test/hostile-repetitions.js';
import { decodeLine } from './decode-line.js';
import { encodeLine } from './encode-line.js';

const CONTEXT = { now: Date.UTC(2026, 10, 20), refOf: (name: Parameters<typeof repositoryRefOf>[0]) => repositoryRefOf(name, null) };
const EXAMPLES = readFileSync(join(__dirname, '../../../../../examples/records.ndjson'), 'utf8').trimEnd().split('\n');

/** Every path into a value. */
function pathsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, part]) => pathsOf(part, [...path, key]))];
}

function changed(value: unknown, [key, ...rest]: readonly string[], to: unknown): unknown {
  if (key === undefined) return to;
  const copy: Record<string, unknown> = { ...(value as Record<string, unknown>) };
  copy[key] = changed(copy[key], rest, to);
  return Array.isArray(value) ? Object.values(copy) : copy;
}

const odd = fc.oneof(
  fc.constantFrom(
    null,
    true,
    -1,
    1e300,
    0.5,
    '',
    ' ',
    '\0',
    'x'.repeat(70_000),
    '2026-13-01T00:00:00Z',
    '+275760-09-13T00:00:00Z',
    'http://',
    'javascript:alert(1)',
    [],
    {},
    [[]],
  ),
  fc.jsonValue(),
);

describe('decodeLine', () => {
  it.each(INCIDENT_KINDS)('takes the states of an incident of the kind %s, and rejects those of the others', (incidentKind) => {
    const states = incidentStatesOf(incidentKind);
    for (const state of INCIDENT_STATES) {
      const updates = [{ id: 'u1', state, body: '', createdAt: 0 }];
      const message = `"${state}" is not a state of an incident of the kind ${incidentKind}; write one of ${states.join(', ')}`;
      const problems = [`state: ${message}`, `updates[0].state: ${message}`];
      const decoded = decodeLine(encodeLine(anIncident({ incidentKind, state, updates })), CONTEXT);
      expect(decoded).toMatchObject(states.includes(state) ? { type: 'record' } : { type: 'bad', problems });
    }
  });

  it('reads which source vouches for a record, and rejects what is not the id of one', () => {
    const record = aCommit();
    const said = (vouchedBy: unknown) => decodeLine(JSON.stringify({ ...(JSON.parse(encodeLine(record)) as object), vouchedBy }), CONTEXT);
    expect(decodeLine(encodeLine(record, 'git:acme/widget'), CONTEXT)).toEqual({ type: 'record', record, vouchedBy: 'git:acme/widget' });
    for (const other of [null, 7, '', 'git', 'git:\n', ['git:acme/widget']])
      expect(said(other)).toMatchObject({
        type: 'bad',
        problems: [expect.stringMatching(/^vouchedBy: .*; write one such as git:acme\/widget, or leave it out$/)],
      });
    expect(decodeLine(encodeLine(aSync(), 'git:acme/widget'), CONTEXT)).toMatchObject({ type: 'bad' });
  });

  it('decodes any text without throwing, and reports each problem on one line', () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), fc.json()), (text) => {
        const decoded = decodeLine(text, CONTEXT);
        expect(decoded.type).toBe('bad');
        if (decoded.type === 'bad') for (const problem of decoded.problems) expect(problem).not.toMatch(/[\n\r]/);
      }),
    );
  });

  it('accepts a changed record only if it can be written and read again', () => {
    fc.assert(
      fc.property(fc.constantFrom(...EXAMPLES), fc.nat(), odd, (line, choice, value) => {
        const record: unknown = JSON.parse(line);
        const paths = pathsOf(record);
        const decoded = decodeLine(JSON.stringify(changed(record, paths[choice % paths.length] ?? [], value)), CONTEXT);
        if (decoded.type === 'record') expect(decodeLine(encodeLine(decoded.record), CONTEXT)).toEqual(decoded);
        if (decoded.type === 'bad') {
          expect(decoded.problems.length).toBeGreaterThan(0);
          for (const problem of decoded.problems) {
            expect(problem).not.toMatch(/[\n\r]|undefined|Invalid input|\[object/);
            expect(problem.length).toBeLessThan(1_000);
          }
        }
      }),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 800 : 20 },
    );
  });

  it.each(EXAMPLES.map((line) => [(JSON.parse(line) as { kind: string }).kind, line] as const))(
    'rejects a %s with each of its parts missing, or uses a default',
    (_, line) => {
      const record: unknown = JSON.parse(line);
      for (const path of pathsOf(record)) {
        if (path.length === 0) continue;
        const decoded = decodeLine(JSON.stringify(changed(record, path, undefined)), CONTEXT);
        if (decoded.type === 'record') expect(decodeLine(encodeLine(decoded.record), CONTEXT)).toEqual(decoded);
        else expect(decoded).toMatchObject({ problems: [expect.stringMatching(/is missing|is null|is not a pair/)] });
      }
    },
  );

  it('treats a key named __proto__ like any other key', () => {
    const line = EXAMPLES[6]?.replace('{', '{"__proto__":{"title":"x"},') ?? '';
    expect(decodeLine(line, CONTEXT)).toMatchObject({ type: 'bad', problems: [expect.stringMatching(/^__proto__: is not a key here/)] });
  });

  it('reports at most 50 problems of a line', () => {
    const line = JSON.stringify({ kind: 'news', ...Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${String(i)}`, 1])) });
    const decoded = decodeLine(line, CONTEXT);
    expect(decoded.type === 'bad' && decoded.problems.length).toBe(51);
  });

  it.each(['.', '..'])('refuses the id %s in every kind', (id) => {
    const withId = EXAMPLES.map((line) => JSON.parse(line) as Record<string, unknown>).filter(
      (record) => 'id' in record && record['kind'] !== 'sync',
    );
    expect(withId.length).toBeGreaterThan(5);
    for (const record of withId) {
      expect(decodeLine(JSON.stringify({ ...record, id }), CONTEXT)).toMatchObject({
        type: 'bad',
        problems: [expect.stringMatching(/^id: is not an id; write an id of 1 to 200 visible ASCII characters, neither \. nor \.\.$/)],
      });
    }
  });

  it.each(
    sampled(
      hostileRepetitions(59_000).filter(({ piece }) => /[%&]/.test(piece)),
      4,
    ),
  )('reads a line whose fields are full of $piece quickly', ({ text: body }) => {
    const article = EXAMPLES.map((line) => JSON.parse(line) as Record<string, unknown>).find(({ kind }) => kind === 'article');
    const line = JSON.stringify({ ...article, body, changes: Array.from({ length: isTorture ? 12 : 3 }, () => ({ type: 'added', text: body })) });
    const took = processorMs(() => {
      expect(decodeLine(line, CONTEXT).type).toBe('record');
    });
    expect(took).toBeLessThan(AT_ONCE_MS);
  });
});
