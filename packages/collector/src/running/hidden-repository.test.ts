import { NO_REPOSITORY } from '@vitrine/core';
import { hiddenIdOfSource, hiddenRepositoryOf, hiddenRepositorySync } from './approvals.js';

const SINCE = Date.UTC(2026, 10, 20, 12);
const fields = { since: SINCE, reason: 'gone', at: SINCE + 5_000, intervalMs: 60_000 } as const;

describe('the record that hides a repository', () => {
  it('says which repository, since when and why, and is never published', () => {
    const sync = hiddenRepositorySync('Acme/Widget', fields);
    expect(sync).toMatchObject({
      id: 'configuration:hidden:acme/widget',
      sourceType: 'configuration',
      repositoryRef: NO_REPOSITORY,
      feeds: [],
      lastSuccessAt: fields.at,
      state: '{"since":"2026-11-20T12:00:00.000Z","reason":"gone"}',
    });
    expect(hiddenRepositoryOf(sync)).toEqual({ name: 'acme/widget', since: SINCE, reason: 'gone' });
  });

  it('keeps how often the forge has said so', () => {
    const answers = { count: 3, at: SINCE + 7_200_000 };
    expect(hiddenRepositoryOf(hiddenRepositorySync('acme/widget', { ...fields, answers }))).toMatchObject({ since: SINCE, reason: 'gone', answers });
  });

  it.each([
    ...[null, '', '{', '[]', '{}', '{"since":1,"reason":"gone"}', '{"since":"x","reason":"gone"}'],
    '{"since":"2026-11-20T12:00:00.000Z","reason":"other"}',
  ])('hides its repository also with a state that cannot be read: %j', (state) => {
    const hidden = hiddenRepositoryOf({ ...hiddenRepositorySync('acme/widget', fields), state });
    expect(hidden).toEqual({ name: 'acme/widget', since: fields.at, reason: 'private' });
  });

  it.each([
    ...['configuration:sources', 'configuration:hidden:', 'configuration:hidden:acme', 'configuration:hidden:no name'],
    ...['git:acme/widget', 'github:acme/widget', 'hidden:acme/widget'],
  ])('is not %s', (id) => {
    expect(hiddenRepositoryOf({ ...hiddenRepositorySync('acme/widget', fields), id })).toBeNull();
  });

  it('belongs to a source of a forge', () => {
    expect(hiddenIdOfSource('gitlab:acme/widget')).toEqual(['configuration:hidden:acme/widget']);
    expect([hiddenIdOfSource('git:acme/widget'), hiddenIdOfSource('github:'), hiddenIdOfSource('feed:acme/widget')]).toEqual([[], [], []]);
  });
});
