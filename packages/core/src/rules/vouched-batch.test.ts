import { keyOfIdentity, type PlainRecord } from '../kinds/identity.js';
import { aCommit, aRelease, aService } from '../testing/index.js';
import { type FoundVersion, touchedRepositories, VouchedBatch } from './vouched-batch.js';

const GIT = { source: 'git:acme/widget' };
const GITHUB = { source: 'github:acme/widget' };
const commit = aCommit();
const KEY = keyOfIdentity(commit);
const storedBy = (record: PlainRecord, ...sources: string[]): FoundVersion => ({
  stored: { record, statements: sources.map((source) => ({ source, record })) },
});

describe('a batch of vouched records', () => {
  it('knows what was put before, and tells each record once, as it is at the end', () => {
    const batch = new VouchedBatch(() => null);
    expect(batch.put(commit, GIT)).toBe('stored');
    expect(batch.put(commit, GIT)).toBe('unchanged');
    expect(batch.put(aCommit({ branch: 'next' }), GIT)).toBe('stored');
    expect(batch.changes()).toMatchObject([
      { kind: 'commit', key: KEY, found: null, before: null, after: { record: { branch: 'next' } }, onlyVouches: false },
    ]);
  });

  it('refuses a commit that only a forge knows, and tells nothing of it', () => {
    const batch = new VouchedBatch(() => null);
    expect(batch.put(commit, GITHUB)).toBe('unknown-commit');
    expect(batch.changes()).toEqual([]);
  });

  it('tells nothing of a record that is stored in the same way, and of a further source only that it vouches', () => {
    const batch = new VouchedBatch(() => storedBy(commit, GIT.source));
    expect(batch.put(commit, GIT)).toBe('unchanged');
    expect(batch.changes()).toEqual([]);
    expect(batch.put(commit, { source: 'records:0123456789ab' })).toBe('unchanged');
    expect(batch.changes()).toMatchObject([{ before: commit, after: { record: commit }, onlyVouches: true }]);
    expect(touchedRepositories(batch.changes())).toEqual([]);
  });

  it('compares a record that is put as it is stored only once', () => {
    let reads = 0;
    const ownKeys = (target: PlainRecord) => {
      reads += 1;
      return Reflect.ownKeys(target);
    };
    const batch = new VouchedBatch(() => storedBy(new Proxy<PlainRecord>(commit, { ownKeys }), GIT.source));
    expect(batch.put({ ...commit }, GIT)).toBe('unchanged');
    const readsOfPut = reads;
    expect([batch.changes(), reads]).toEqual([[], readsOfPut]);
    expect(readsOfPut).toBeGreaterThan(0);
  });

  it('removes a record with its last source, and one that cannot be decoded, and each of them once', () => {
    const batch = new VouchedBatch<FoundVersion>((_, key) => (key === KEY ? storedBy(commit, GIT.source, 'records:0123456789ab') : null));
    expect(batch.remove('commit', KEY, GIT.source)).toBe(false);
    expect(batch.remove('commit', KEY, null)).toBe(true);
    expect(batch.remove('commit', KEY, null)).toBe(false);
    expect(batch.remove('release', 'damaged', GIT.source, { stored: null })).toBe(true);
    expect(batch.remove('release', 'missing', null)).toBe(false);
    expect(batch.changes()).toMatchObject([
      { key: KEY, before: commit, after: null, onlyVouches: false },
      { key: 'damaged', before: null, after: null, onlyVouches: false },
    ]);
  });

  it('names each repository whose facts may change', () => {
    const batch = new VouchedBatch(() => null);
    for (const record of [commit, aRelease(), aService()]) batch.put(record, { source: null });
    expect(touchedRepositories(batch.changes())).toEqual([commit.repositoryRef]);
  });
});
