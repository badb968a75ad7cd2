import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Allowlist, FACTS, type AnyField } from '@vitrine/core';
import { FakeStore } from '../../testing/fake-store.js';
import { importRecords } from './import-records.js';
import { RECORD_KINDS } from './decode-line.js';

const ROOT = join(__dirname, '../../../../..');

function blocks(guide: string, language: string): readonly string[] {
  const text = readFileSync(join(ROOT, 'docs/guides', guide), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'gm'))].map(([, code]) => code ?? '');
}

describe('docs/guides/records-file.md', () => {
  async function take(lines: readonly string[]) {
    const writer = new FakeStore();
    const problems: string[] = [];
    const report = await importRecords({
      file: 'records.ndjson',
      input: Readable.from([Buffer.from(lines.join('\n'))]),
      approved: Allowlist.of('acme/widget').approved(),
      writer,
      clock: { now: () => 0 },
      signal: new AbortController().signal,
      onProblem: (problem) => problems.push(problem),
    });
    return { report, problems, writer };
  }

  const examples = () => blocks('records-file.md', 'json').map((text) => JSON.stringify(JSON.parse(text)));

  it('shows one record of each kind that can be imported, and deletions of two of them', async () => {
    const { report, problems, writer } = await take(examples());
    expect(problems).toEqual([]);
    expect(report).toMatchObject({ stored: RECORD_KINDS.length, removed: 2 });
    expect(new Set(writer.all.map(({ kind }) => kind)).size).toBe(RECORD_KINDS.length - 2);
  });

  it('lists the required fields of each kind', async () => {
    const guide = readFileSync(join(ROOT, 'docs/guides/records-file.md'), 'utf8');
    const listed = [...guide.matchAll(/^\| `([a-z-]+)` \| (`.*) \|$/gm)].map(([, kind = '', fields = '']) => ({
      kind,
      fields: [...fields.replace(/\(.*\)/, '').matchAll(/`(\w+)`/g)].map(([, field = '']) => field).sort(),
    }));
    expect(listed.map(({ kind }) => kind)).toEqual(RECORD_KINDS);
    for (const { kind, fields } of listed) {
      const example = JSON.parse(examples().find((line) => line.includes(`"kind":"${kind}"`)) ?? '') as Readonly<Record<string, unknown>>;
      const names = Object.keys(example).filter((name) => name !== 'kind');
      const outcomes = await Promise.all(names.map(async (name) => ({ name, ...(await take([JSON.stringify({ ...example, [name]: undefined })])) })));
      const required = outcomes.filter(({ problems }) => problems.length > 0);
      expect({ kind, fields: required.map(({ name }) => name).sort() }).toEqual({ kind, fields });
    }
  });

  it('lists the texts with at most 255 characters', () => {
    const guide = readFileSync(join(ROOT, 'docs/guides/records-file.md'), 'utf8');
    const [, listed = ''] = /^ {2}At most 255 characters: (.*)$/m.exec(guide) ?? [];
    const short = Object.values(FACTS).flatMap(({ fields }) => Object.entries<AnyField>(fields).flatMap(([name, field]) => shortTexts(name, field)));
    expect([...listed.matchAll(/`(\w+)`/g)].map(([, name = '']) => name).sort()).toEqual([...new Set(short)].sort());
  });

  it('quotes problems as they are reported', async () => {
    const [quoted = ''] = blocks('records-file.md', 'text');
    const news = examples().find((line) => line.includes('"kind":"news"')) ?? '';
    const bad = [...Array.from({ length: 6 }, () => ''), news.replace('2026-11-18T10:00:00Z', '2026-11-20'), '', news.replace('"title"', '"titel"')];
    expect((await take(bad)).problems.join('\n')).toBe(quoted.trimEnd());
  });
});

const SHORT: readonly string[] = ['short', 'label', 'branch', 'requiredBranch', 'tag'];

/** The names of the texts in a field that may have at most 255 characters. */
function shortTexts(name: string, field: AnyField): readonly string[] {
  if (field.type === 'text') return SHORT.includes(field.form) ? [name] : [];
  if (field.type === 'list') return shortTexts(name, field.item);
  return field.type === 'object' ? Object.entries(field.fields).flatMap(([inner, part]) => shortTexts(inner, part)) : [];
}
