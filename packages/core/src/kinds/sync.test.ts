import { NOW, aSync } from '../testing/index.js';
import { type SyncFields, publicSourceId, serviceOf, syncOf } from './sync.js';

const older = (over: Partial<SyncFields> = {}): SyncFields => ({
  id: 'git acme/widget',
  repositoryRef: 'acme/widget#7',
  feeds: ['commit'],
  lastSuccessAt: NOW,
  intervalMs: 1_000,
  state: null,
  ...over,
});

describe('syncOf', () => {
  it('takes the attempts of an older record from its last success, and its label from its repository', () => {
    expect(syncOf(older())).toEqual({
      kind: 'sync',
      id: 'git acme/widget',
      sourceType: 'git',
      label: 'acme/widget',
      repositoryRef: 'acme/widget#7',
      feeds: ['commit'],
      intervalMs: 1_000,
      firstAttemptAt: NOW,
      lastAttemptAt: NOW,
      lastSuccessAt: NOW,
      lastFailureAt: null,
      lastFailureCode: null,
      state: null,
    });
  });

  it.each([
    ['self-check acme:api', ['check'], 'probe', 'acme:api'],
    ['records /srv/secret', [], 'records', null],
    ['services of the configuration', [], 'configuration', null],
    ['acme-nightly', [], 'records', null],
  ] as const)('tells from the older id %s what kind of source it is', (id, feeds, sourceType, service) => {
    const sync = syncOf(older({ id, feeds, repositoryRef: '-' }));
    expect([sync.sourceType, serviceOf(sync)]).toEqual([sourceType, service]);
  });

  it('keeps a whole record as it is', () => {
    const sync = aSync({ lastSuccessAt: null, firstAttemptAt: null, lastAttemptAt: null, lastFailureAt: NOW, lastFailureCode: 'ENOENT' });
    expect(syncOf(sync)).toEqual(sync);
  });
});

describe('publicSourceId', () => {
  it.each([
    ['git:acme/widget', 'git', 'acme/widget', 'git:acme/widget'],
    ['git acme/widget', 'git', 'acme/widget', 'git:acme/widget'],
    ['probe:acme:api', 'probe', '-', 'probe:acme:api'],
    ['acme-nightly', 'records', '-', 'records:acme-nightly'],
    ['records /srv/secret', 'records', '-', null],
    ['records:C:\\secret', 'records', '-', null],
    ['feed:https://user@host', 'feed', '-', null],
    ['records:/srv/secret', 'records', 'acme/widget', 'records:acme/widget'],
  ] as const)('of %s is never a path or an address', (id, sourceType, repositoryRef, expected) => {
    expect(publicSourceId({ id, sourceType, repositoryRef })).toBe(expected);
  });
});
