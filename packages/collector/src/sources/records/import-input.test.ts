import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Allowlist } from '@vitrine/core';
import { FakeStore } from '../../testing/fake-store.js';
import { importRecords, type ImportOptions } from './import-records.js';

const NOW = Date.UTC(2026, 10, 20, 12);
const provenance = { source: 'Acme', sourceKind: 'official-source', sourceUrl: 'https://acme.example/', confidence: 'high', isOfficialSource: true };
const news = (id: string, more: object = {}) => ({ kind: 'news', id, source: 'Blog', title: 'Title', url: 'https://acme.example/news', ...more });
const sync = { kind: 'sync', id: 'nightly', feeds: [], lastSuccessAt: '2026-11-20T10:00:00Z', intervalMs: 60_000 };

let folder: string;
let store: FakeStore;
let problems: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  store = new FakeStore();
  problems = [];
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const textOf = (lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
function take(lines: readonly object[], more: Partial<ImportOptions> = {}) {
  const file = join(folder, 'in.ndjson');
  writeFileSync(file, textOf(lines));
  const { signal } = new AbortController();
  const onProblem = (problem: string) => problems.push(problem.replace(`${folder}/`, ''));
  return importRecords({
    file,
    approved: Allowlist.of('acme/widget').approved(),
    writer: store,
    clock: { now: () => NOW },
    signal,
    onProblem,
    ...more,
  });
}
const origins = () => store.all.map((record) => ('provenance' in record ? record.provenance.source : null));

describe('the defaults of a records file', () => {
  const defaults = { kind: 'defaults', provenance };

  it('fill the fields that the provenance of a later line leaves out', async () => {
    const report = await take([defaults, news('n1'), news('n2', { provenance: { source: 'Other' } }), sync]);
    expect(report).toMatchObject({ lines: 4, stored: 3, problems: 0 });
    expect(origins()).toEqual(['Acme', 'Other', null]);
  });

  it('do not apply to the next file', async () => {
    await take([defaults, news('n1')]);
    expect(await take([news('n2')])).toMatchObject({ stored: 0, problems: 1 });
    expect(problems).toEqual([expect.stringMatching(/^in\.ndjson:1: provenance: is missing/)]);
  });

  it('are rejected after the first line', async () => {
    expect(await take([news('n1', { provenance }), defaults, news('n2')])).toMatchObject({ stored: 1, problems: 2 });
    expect(problems[0]).toBe('in.ndjson:2: kind: defaults holds for the whole file; write it on the first line');
  });

  it.each([
    [{ kind: 'defaults' }, 'provenance: is missing'],
    [{ kind: 'defaults', provenance: { sourc: 'x' } }, 'provenance.sourc: is not a key here; did you mean source?'],
    [{ kind: 'defaults', provenance, title: 'x' }, 'title: is not a key here'],
    [{ kind: 'defaults', provenance: { ...provenance, sourceUrl: 'acme' } }, 'provenance.sourceUrl: is not such an address'],
  ])('are checked: %j', async (line, problem) => {
    expect((await take([line])).problems).toBe(1);
    expect(problems[0]).toContain(`in.ndjson:1: ${problem}`);
  });

  it('cannot add an e-mail address, and a strict import rejects it before it stores anything', async () => {
    const secret = { ...provenance, sourceUrl: 'https://acme.example/?to=ada@example.org' };
    const lines = [{ kind: 'defaults', provenance: secret }, news('n1'), sync];
    expect(await take(lines, { strict: true })).toMatchObject({ stored: 0, problems: 1 });
    expect(store.all).toEqual([]);
  });
});

describe('an import', () => {
  it('counts deletions of records that are not stored', async () => {
    const gone = (id: string) => ({ kind: 'news', id, deleted: true });
    const report = await take([news('n1', { provenance }), gone('n1'), gone('n2'), gone('n3')]);
    expect(report).toMatchObject({ lines: 4, stored: 1, removed: 1, notFound: 2, problems: 0 });
  });

  it('reads a stream in any pieces', async () => {
    const bytes = Buffer.from(textOf([news('n1', { provenance }), { kind: 'x' }, news('n2', { provenance, title: 'Grüße' })]));
    const input = Readable.from(Array.from(bytes, (byte) => Buffer.from([byte])));
    expect(await take([], { file: 'standard input', input })).toMatchObject({ lines: 3, stored: 2, problems: 1 });
    expect(problems).toEqual([expect.stringMatching(/^standard input:2: kind: "x" is not a kind of record/)]);
  });

  it('stops waiting for a stream when it is aborted', async () => {
    const controller = new AbortController();
    const input = new Readable({ read: () => undefined });
    const waiting = take([], { file: 'standard input', input, signal: controller.signal });
    setTimeout(() => {
      controller.abort(new Error('stopped'));
    }, 10);
    await expect(waiting).rejects.toThrow('stopped');
    expect(input.destroyed).toBe(true);
  });
});
