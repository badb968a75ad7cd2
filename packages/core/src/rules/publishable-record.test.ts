import { TEXT_FORMS, type AnyField } from '../kinds/fields.js';
import { byKind, FACTS } from '../kinds/kinds.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { AT_ONCE_MS, hostileRepetitions, processorMs } from '../../../../test/hostile-repetitions.js';
import type { StoredRecord } from '../kinds/identity.js';
import type { RepositoryRef } from '../kinds/repository-name.js';
import {
  aBuild,
  aCheck,
  aCommit,
  aFinding,
  aMission,
  aRelease,
  aRepositoryRecord,
  aSync,
  aVideo,
  anArticle,
  anIncident,
  oneOfEach,
  someNews,
} from '../testing/index.js';
import { publishableAuthor, publishableBranch, publishableRecord, publishableRelease } from './publishable-record.js';
import { holdsEmail, withoutEmail } from './without-email.js';

const { records: vectors } = JSON.parse(readFileSync(join(__dirname, '../testing/vectors/emails.json'), 'utf8')) as {
  readonly records: readonly { readonly repository: RepositoryRef; readonly field: string; readonly value: string; readonly refused: boolean }[];
};

interface Leaf {
  readonly kind: StoredRecord['kind'];
  readonly path: readonly (string | number)[];
  readonly rule: string;
}

function leavesOf(kind: StoredRecord['kind'], field: AnyField, path: readonly (string | number)[]): Leaf[] {
  if (field.type === 'text') return [{ kind, path, rule: TEXT_FORMS[field.form] }];
  if (field.type === 'list') return leavesOf(kind, field.item, [...path, 0]);
  return field.type === 'object' ? Object.entries(field.fields).flatMap(([name, inner]) => leavesOf(kind, inner, [...path, name])) : [];
}

/** The record with another value at a path. */
function changed(value: unknown, [name, ...rest]: readonly (string | number)[], text: string): unknown {
  if (name === undefined) return text;
  const copy = Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) };
  Reflect.set(copy, name, changed(Reflect.get(copy, name), rest, text));
  return copy;
}

function at(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce((inner: unknown, name) => Reflect.get(inner as object, name), value);
}

/** With every optional field that has a rule. */
const whole = oneOfEach().map((record): StoredRecord => {
  if (record.kind === 'incident') return { ...record, covers: ['detected:acme:web:1'] };
  const assets = [{ name: 'widget.zip', platform: 'linux', size: 1, url: 'https://git.example/acme/widget/widget.zip' }];
  return record.kind === 'release' ? { ...record, assets } : record;
});
const records = new Map(whole.map((record) => [record.kind, record]));
const leaves = Object.values(byKind(({ fields }, kind) => Object.entries(fields).flatMap(([name, field]) => leavesOf(kind, field, [name])))).flat();
const named = leaves.filter(({ kind }) => records.has(kind)).map((leaf) => ({ ...leaf, name: `${leaf.kind}.${leaf.path.join('.')}` }));
const withRule = (...rules: string[]) => named.filter(({ rule }) => rules.includes(rule));
const TEXT = 'x Ada <ada@example.org>';

function put({ kind, path }: Leaf, text: string): unknown {
  return publishableRecord(changed(records.get(kind), path, text) as StoredRecord);
}

describe('publishableRecord', () => {
  it.each(oneOfEach().map((record) => ({ record, kind: record.kind })))('gives the same $kind when there is nothing to cut', ({ record }) => {
    expect(publishableRecord(record)).toBe(record);
  });

  it.each(Object.keys(FACTS))('cuts addresses out of each text of a %s, and changes nothing else', (kind) => {
    for (const leaf of withRule('text', 'required-text', 'author').filter((one) => one.kind === kind)) {
      const record = changed(records.get(leaf.kind), leaf.path, TEXT);
      expect([leaf.name, publishableRecord(record as StoredRecord)]).toEqual([leaf.name, changed(record, leaf.path, 'x Ada')]);
      expect(at(record, leaf.path)).toBe(TEXT);
    }
  });

  it.each([
    ['help@acme.example', 'help'],
    ['🎉 <help@acme.example>', 'help'],
    ['<@acme.example>', '…'],
    ['', '…'],
  ])('of %j, keeps %j in each required text', (text, shown) => {
    const required = withRule('required-text');
    expect(required.map(({ name }) => name)).toEqual(expect.arrayContaining(['service.displayName', 'news.source', 'build.provenance.source']));
    for (const leaf of required) expect([leaf.name, at(put(leaf, text), leaf.path)]).toEqual([leaf.name, shown]);
  });

  it('leaves an item of a list out if nothing of it is left, and only then', () => {
    const mail = 'help@acme.example';
    const article = publishableRecord(anArticle({ tags: ['api', mail, '', `${mail} x`], changes: [{ type: 'added', text: mail }] }));
    expect(article).toMatchObject({ tags: ['api', '', ' x'], changes: [{ type: 'added', text: '' }] });
    expect(publishableRecord(aMission({ labels: [mail] }))).toMatchObject({ labels: [] });
  });

  it('drops the name of a branch that holds an address', () => {
    for (const leaf of withRule('branch', 'required-branch'))
      expect([leaf.name, at(put(leaf, 'ada@example.org/fix'), leaf.path)]).toEqual([leaf.name, leaf.rule === 'branch' ? null : '']);
  });

  it('refuses a record of which an id, a name or a URL holds an address', () => {
    for (const leaf of withRule('id', 'name', 'url')) {
      const answer = put(leaf, leaf.rule === 'url' ? 'https://h.example/?to=ada%40example.org' : 'ada@example.org');
      expect([leaf.name, answer]).toEqual([leaf.name, 'email-in-identifier']);
    }
  });

  it.each(Object.keys(FACTS))('replaces half of a surrogate pair in each text of a %s', (kind) => {
    for (const leaf of named.filter((one) => one.kind === kind && one.rule !== 'unpublished'))
      expect([leaf.name, put(leaf, 'a\ud800b')]).toEqual([leaf.name, changed(records.get(leaf.kind), leaf.path, 'a\ufffdb')]);
  });

  it('leaves what is not published', () => {
    for (const leaf of withRule('unpublished')) expect([leaf.name, at(put(leaf, TEXT), leaf.path)]).toEqual([leaf.name, TEXT]);
  });

  it('refuses releases, or takes them as they are, as the vectors say', () => {
    const judged = vectors.map((vector) => {
      const release = aRelease({ repositoryRef: vector.repository, [vector.field]: vector.value });
      const answer = publishableRecord(release);
      return { ...vector, refused: answer === release ? false : answer };
    });
    expect(judged).toEqual(vectors.map((vector) => ({ ...vector, refused: vector.refused && 'email-in-identifier' })));
  });

  it.each([
    aRelease({ id: 'acme/secret@v1' }),
    aRelease({ repositoryRef: 'acme/widget#42', id: 'acme/widgets@v1' }),
    aRelease({ id: 'acme/\u212aey@v1', repositoryRef: 'acme/key' }),
    aFinding({ id: 'Acme/Secret@f1' }),
    aBuild({ id: 'acme/secret@1' }),
    aMission({ id: 'acme/secret@1' }),
    anArticle({ id: 'acme/secret@1' }),
  ])('refuses an id that names another repository: $id', (record) => {
    // The Kelvin sign is not allowed in a repository name, so this id names no repository.
    expect(publishableRecord(record)).toBe(record.id.includes('\u212a') ? record : 'foreign-id');
  });

  it.each([
    aRelease({ id: 'ACME/Widget@v1' }),
    aRelease({ repositoryRef: 'acme/widget#42', id: 'acme/widget@v1' }),
    aRelease({ id: 'acme/widget@acme/secret@v1' }),
    aFinding({ id: 'fnd@1' }),
    aFinding({ id: '@acme/secret@1' }),
    aVideo({ id: 'acme/secret@1' }),
    someNews({ id: 'acme/secret@1' }),
    anIncident({ id: 'acme/secret@1' }),
  ])('takes an id of the own repository, of none, or of a record without one: $id', (record) => {
    expect(publishableRecord(record)).toBe(record);
  });

  it('changes nothing of what it has made', () => {
    for (const leaf of named) {
      const once = put(leaf, `ada@example.org ${TEXT}`);
      if (typeof once === 'object') expect(publishableRecord(once as StoredRecord)).toBe(once);
    }
  });

  it('takes what no type allows as it is', () => {
    for (const odd of [null, 7, [null, 'x'], {}]) {
      const record = { ...aFinding(), title: odd, evidence: odd, provenance: odd, sourceUrl: odd } as unknown as StoredRecord;
      expect(publishableRecord(record)).toBe(record);
    }
  });

  it.each(hostileRepetitions(100_000).filter(({ piece }) => /[%&]/.test(piece)))(
    'judges a record whose texts are made of $piece at once',
    ({ text }) => {
      const took = processorMs(() => {
        publishableRecord(anArticle({ body: text, changes: [{ type: 'added', text }] }));
        publishableRecord(aRelease({ sourceUrl: `https://h.example/${text}` }));
      });
      expect(took).toBeLessThan(AT_ONCE_MS);
    },
  );

  it('covers every kind with a test', () => {
    expect(new Set(named.map(({ kind }) => kind))).toEqual(new Set(Object.keys(FACTS)));
    expect([aCommit().kind, aCheck().kind, aSync().kind, aRepositoryRecord().kind].every((kind) => records.has(kind))).toBe(true);
  });
});

describe('publishableRelease', () => {
  const summary = { tagName: 'v1', name: 'One', releaseType: 'stable', platform: null, publishedAt: 1, sourceUrl: 'https://h.example/acme/widget' };

  it('follows the rules of releases', () => {
    expect(publishableRelease(summary, 'acme/widget')).toBe(summary);
    expect(publishableRelease({ ...summary, name: TEXT }, 'acme/widget')).toEqual({ ...summary, name: 'x Ada' });
    expect(publishableRelease({ ...summary, tagName: 'ada@example.org' }, 'acme/widget')).toBe('email-in-identifier');
  });
});

describe('publishableBranch', () => {
  it('is null when the name holds an address', () => {
    expect([publishableBranch('main'), publishableBranch('ada@example.org'), publishableBranch(null)]).toEqual(['main', null, null]);
  });
});

describe('the name of an author', () => {
  it.each([
    ['ada@example.org', 'ada'],
    ['Ada <ada@example.org>', 'Ada'],
    ['<ada.l@example.org>', 'ada.l'],
    ['"Ada L"@example.org', 'Ada L'],
    ['mailto:ada@example.org', 'ada'],
    ['ada%40example.org', 'ada'],
    ['ada@example.org, bo@example.org', 'ada'],
    ['12+ada@users.example.org', '12+ada'],
    ['ada@localhost', 'ada@localhost'],
    ['Ada', 'Ada'],
    [`<${'a'.repeat(100)}@example.org>`, 'a'.repeat(64)],
    ['', ''],
  ])('%j is shown as %j', (name, shown) => {
    expect(publishableAuthor(name)).toBe(shown);
  });

  it('keeps the part before the @ of an address, in each field', () => {
    for (const leaf of withRule('author'))
      expect([leaf.name, put(leaf, 'ada@example.org')]).toEqual([leaf.name, changed(records.get(leaf.kind), leaf.path, 'ada')]);
  });

  it('never holds an address, is nothing else than the text if that has a name, and stays the same', () => {
    const piece = fc.constantFrom('ada', '@', '<', '>', '"', ' ', 'example.org', '%40', 'mailto:', '&#64;', 'git', ':a', '.', '**', 'é', ',');
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 10 }).map((parts) => parts.join('')),
        (name) => {
          const shown = publishableAuthor(name);
          expect(holdsEmail(shown)).toBe(false);
          expect(publishableAuthor(shown)).toBe(shown);
          if (/[\p{L}\p{N}]/u.test(withoutEmail(name).replaceAll('mailto:', ''))) expect(shown).toBe(withoutEmail(name));
        },
      ),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 2_000 : 40 },
    );
  });
});
