import { NO_REPOSITORY, type RepositoryRef } from '@vitrine/core';
import { aRepository, aSync, NOW } from '@vitrine/core/testing';
import fc from 'fast-check';
import { besideLastSynced, withLastSynced } from './own-url.js';

const REFS = ['acme/widget', 'acme/gadget'] as const satisfies readonly RepositoryRef[];
const time = fc.option(fc.integer({ min: 0, max: NOW }), { nil: null });
const sync = fc
  .record({ repositoryRef: fc.constantFrom(NO_REPOSITORY, ...REFS), lastSuccessAt: time })
  .map(({ repositoryRef, lastSuccessAt }) => aSync({ repositoryRef, lastSuccessAt }));

describe('the last sync of a repository', () => {
  it('is the oldest last success of its own sources, and the stored time if none has completed a run', () => {
    fc.assert(
      fc.property(fc.array(sync, { maxLength: 6 }), fc.constantFrom(...REFS), (syncs, ref) => {
        const repository = aRepository({ repositoryRef: ref, lastSyncedAt: 7 });
        const own = syncs.flatMap(({ repositoryRef, lastSuccessAt }) => (repositoryRef === ref && lastSuccessAt !== null ? [lastSuccessAt] : []));
        const expected = own.length === 0 ? 7 : own.sort((a, b) => a - b)[0];
        for (let again = 0; again < 2; again++) expect(withLastSynced(repository, syncs)).toEqual({ ...repository, lastSyncedAt: expected });
      }),
    );
  });

  it('leaves a record of no repository as it is', () => {
    const item = { record: 'video', repository: null };
    expect(besideLastSynced([item], [aSync({})])).toEqual([item]);
  });
});
