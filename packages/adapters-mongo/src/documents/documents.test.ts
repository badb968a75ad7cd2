import { aSync, NOW } from '@vitrine/core/testing';
import { DOCUMENTS } from './documents.js';

describe('a document of a source', () => {
  const older = { _id: 'git acme/a', id: 'git acme/a', repositoryRef: 'acme/a', feeds: ['commit'], intervalMs: 1_000, state: null };

  it('of an older version uses its last success as its attempts', () => {
    expect(DOCUMENTS.sync.toRecord({ ...older, lastSuccessAt: new Date(NOW) })).toEqual(
      aSync({
        id: 'git acme/a',
        label: 'acme/a',
        repositoryRef: 'acme/a',
        feeds: ['commit'],
        intervalMs: 1_000,
        firstAttemptAt: NOW,
        lastAttemptAt: NOW,
        lastSuccessAt: NOW,
      }),
    );
  });

  it('with an invalid last success has never completed a run', () => {
    expect(DOCUMENTS.sync.toRecord({ ...older, lastSuccessAt: 'yesterday' })).toMatchObject({ lastSuccessAt: null, lastAttemptAt: null });
  });

  it('is read as it was written', () => {
    const sync = aSync({ lastSuccessAt: null, lastFailureAt: NOW, lastFailureCode: 'ENOENT' });
    expect(DOCUMENTS.sync.toRecord(DOCUMENTS.sync.toDocument(sync))).toEqual(sync);
  });
});
