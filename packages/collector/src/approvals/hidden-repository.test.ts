import { NO_REPOSITORY } from '@vitrine/core';
import { aSync } from '@vitrine/core/testing';
import { hiddenIdOfSource, hiddenRepositoryOf, hiddenRepositorySync } from './hidden-repository.js';

const NOW = Date.UTC(2026, 10, 20, 12);
const options = { since: NOW - 5_000, reason: 'gone', at: NOW, intervalMs: 60_000 } as const;

describe('a hidden repository', () => {
  it('is a sync record of the configuration, which is never published', () => {
    const sync = hiddenRepositorySync('Acme/Widget', options);
    expect(sync).toMatchObject({
      id: 'configuration:hidden:acme/widget',
      sourceType: 'configuration',
      repositoryRef: NO_REPOSITORY,
      lastSuccessAt: NOW,
    });
    expect(JSON.parse(sync.state ?? '')).toEqual({ since: '2026-11-20T11:59:55.000Z', reason: 'gone' });
    expect(hiddenRepositoryOf(sync)).toEqual({ name: 'acme/widget', since: NOW - 5_000, reason: 'gone' });
  });

  it.each([null, '', '{}', '{"since":"x","reason":"gone"}', '{"since":"2026-01-01T00:00:00Z","reason":"bored"}'])(
    'stays hidden if the state of its record is %j',
    (state) => {
      expect(hiddenRepositoryOf({ ...hiddenRepositorySync('acme/widget', options), state })).toMatchObject({ name: 'acme/widget' });
    },
  );

  it.each([
    aSync({ id: 'github:acme/widget' }),
    aSync({ id: 'configuration:hidden:no name', sourceType: 'configuration' }),
    aSync({ id: 'configuration:sources', sourceType: 'configuration' }),
  ])('is nothing that $id says', (sync) => {
    expect(hiddenRepositoryOf(sync)).toBeNull();
  });

  it('belongs to a source of a forge', () => {
    expect(hiddenIdOfSource('gitlab:acme/widget')).toEqual(['configuration:hidden:acme/widget']);
    expect([hiddenIdOfSource('git:acme/widget'), hiddenIdOfSource('github:'), hiddenIdOfSource('feed:acme/widget')]).toEqual([[], [], []]);
  });
});
