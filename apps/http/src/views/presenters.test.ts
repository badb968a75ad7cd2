import type { Repository } from '@vitrine/core';
import { aBuild, aCommit, aFinding, aMission, anArticle, anIncident, aRelease, aRepositoryRecord, aVideo, someNews } from '@vitrine/core/testing';
import { vitrinePresenters } from '../composition/create-vitrine-handler.js';

const repository: Repository = { ...aRepositoryRecord(), latestActivityAt: null, latestRelease: null };
const present = vitrinePresenters({ publicUrl: 'https://acme.example/vitrine', hasPages: true });

const OF_REPOSITORIES = [
  ['commit', aCommit()],
  ['release', aRelease()],
  ['finding', aFinding()],
  ['build', aBuild()],
  ['mission', aMission()],
  ['article', anArticle()],
  ['video', aVideo()],
] as const;
const OF_NONE = [
  ['news', someNews()],
  ['incident', anIncident()],
] as const;

/** Members that the API writes itself, or of which it knows nothing. */
const OWN = {
  ...{ repository, neighbours: { older: '/x', newer: null }, commits: null, secret: 'secret' },
  ...{ href: '/own', pageUrl: '/own', hubHref: '/own' },
};

describe('the JSON of records that have members of their own', () => {
  const textOf = (name: keyof typeof present, item: object): string => JSON.stringify((present[name] as (item: object) => unknown)(item));

  it.each(OF_REPOSITORIES)('is that of the record, beside its repository: %s', (kind, record) => {
    const expected = textOf(kind, { record, repository });
    expect(textOf(kind, { ...OWN, record: { ...record, ...OWN }, repository })).toBe(expected);
  });

  it.each(OF_REPOSITORIES)('is that of a record without a repository, for a record alone: %s', (kind, record) => {
    const expected = textOf(kind, { record, repository: null });
    expect(textOf(kind, record)).toBe(expected);
    expect(textOf(kind, { ...record, ...OWN })).toBe(expected);
    expect(JSON.parse(expected)).toHaveProperty('repository', null);
  });

  it.each(OF_NONE)('is that of the record: %s', (kind, record) => {
    expect(textOf(kind, { ...record, ...OWN })).toBe(textOf(kind, record));
  });

  it('is that of the repository', () => {
    expect(textOf('repository', { ...repository, ...OWN, record: { secret: 'secret' } })).toBe(textOf('repository', repository));
  });
});
