import { countDay, keyFor, NOTHING_CARRIED, withNewest, type Check, type RepositoryRef, type StatusDay } from '@vitrine/core';
import type { Document } from 'mongodb';
import { BadValue, type StoredDocument } from '../src/documents/codec.js';
import { DOCUMENTS } from '../src/documents/documents.js';
import { repositoryFacts } from '../src/documents/repository-facts.js';
import { checkDocument, checkOf, dayDocument, dayOf, hoursDocument, hoursOf, latestDocument, latestOf } from '../src/status/status-documents.js';
import { STORED_SCHEMAS } from '../src/store-admin.js';
import { exampleOf, EXAMPLES, guideTagOf } from './support/guide.js';

/** Decodes the document of the guide. Fails if it is invalid. */
function read<Meaning>(collection: string, decode: (document: Document) => Meaning | BadValue): Meaning {
  const meaning = decode(exampleOf(collection));
  if (meaning instanceof BadValue) throw new Error(`${collection}: ${meaning.toString()}`);
  return meaning;
}

describe('docs/guides/stored-documents.md', () => {
  const commit = () => read('commits', DOCUMENTS.commit.toRecord);
  const check = (): Check => read('status_checks', checkOf);
  const day = (): StatusDay => ({ ...read('status_days', dayOf), hours: read('status_hours', hoursOf).hours });

  it.each<readonly [string, () => StoredDocument]>([
    ['commits', () => DOCUMENTS.commit.toDocument(commit())],
    ['releases', () => DOCUMENTS.release.toDocument(read('releases', DOCUMENTS.release.toRecord))],
    ['syncs', () => DOCUMENTS.sync.toDocument(read('syncs', DOCUMENTS.sync.toRecord))],
    [
      'repositories',
      () => ({
        ...DOCUMENTS.repository.toDocument(read('repositories', DOCUMENTS.repository.toRecord)),
        ...(repositoryFacts.encode(read('repositories', (document) => repositoryFacts.decode(document, ''))) as object),
      }),
    ],
    ['status_checks', () => checkDocument(check())],
    ['status_days', () => dayDocument(day())],
    ['status_hours', () => hoursDocument(day())],
    ['status_trails', () => latestDocument(read('status_trails', latestOf))],
  ])('shows a document of %s as the writers store it, with every field and no other', (collection, written) => {
    expect(written()).toEqual(exampleOf(collection));
  });

  it('shows the counts of the day, and the latest state, of its check', () => {
    const counted = countDay({ serviceKey: check().serviceKey, day: day().day }, [check()], NOTHING_CARRIED, null);
    expect(counted).toEqual(day());
    const { serviceKey, checkedAt } = check();
    const latest = { serviceKey, firstCheckedAt: checkedAt, lastCheckedAt: checkedAt, sources: withNewest([], [check()]) };
    expect(read('status_trails', latestOf)).toEqual(latest);
  });

  it('describes latest states that can be read with and without the fields of earlier versions', () => {
    const earlier = {
      ...exampleOf('status_trails'),
      coveredUntil: new Date(0),
      hour: null,
      hoursRevision: 1_795_183_141_000,
      daysRevision: 1_795_183_141_000,
    };
    expect(latestOf(earlier)).toEqual(read('status_trails', latestOf));
  });

  it.each<RepositoryRef>(['acme/widget', 'acme/gadget#4711', 'a.b-c_d/e'])('makes the tag of %s in ids', (ref) => {
    expect(keyFor('fnd_7k2m9q', ref)).toBe(`fnd_7k2m9q ${guideTagOf()(ref)}`);
  });

  it('names all other collections, each of which has a schema', () => {
    expect([...EXAMPLES.keys()].sort()).toEqual(
      ['commits', 'releases', 'repositories', 'status_checks', 'status_days', 'status_hours', 'status_trails', 'syncs'].sort(),
    );
    expect([...EXAMPLES.keys()].filter((name) => !(name in STORED_SCHEMAS))).toEqual([]);
  });
});
