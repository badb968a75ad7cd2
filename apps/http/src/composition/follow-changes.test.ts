import fc from 'fast-check';
import {
  Allowlist,
  type ApprovedRepositories,
  type ChangesSince,
  NO_REPOSITORY,
  type RecordKind,
  type ScopeRef,
  type StoreChange,
  type SyncedKind,
  UnavailableError,
} from '@vitrine/core';
import { openMemoryStore } from '@vitrine/adapters-memory';
import { aChange, NOW, someNews, StandingClock } from '@vitrine/core/testing';
import type { Topics } from '../serving/cache.js';
import { RememberedApproval } from '../serving/request.js';
import { followChanges, outdate } from './application.js';

const WIDGET = 'acme/widget';
const GADGET = 'acme/gadget';
const PRIVATE = 'acme/private';

const approved = Allowlist.of(WIDGET, GADGET).approved();

function topics(kinds: readonly RecordKind[], repository: string | null = null): Topics {
  return { kinds: new Set(kinds), repository };
}

/** What some answers depend on. */
const ANSWERS = {
  commits: topics(['repository', 'commit']),
  'commits of acme/widget': topics(['repository', 'commit'], WIDGET),
  'articles of acme/widget': topics(['repository', 'article'], WIDGET),
  'commits of acme/private': topics(['repository', 'commit'], PRIVATE),
  repositories: topics(['repository']),
  news: topics(['news']),
  status: topics(['service', 'check', 'status-day', 'incident']),
  sources: topics(['repository', 'sync']),
} as const;

/** What followed from changes of a store. */
function followed(current: () => ApprovedRepositories = () => approved) {
  const calls: string[][] = [];
  let forgotten = 0;
  let looksForPlaces = 0;
  const answers = {
    outdate: (isConcerned: (topics: Topics) => boolean): void => {
      calls.push(Object.entries(ANSWERS).flatMap(([name, of]) => (isConcerned(of) ? [name] : [])));
    },
  };
  const heard: number[] = [];
  const board = {
    hear: ({ isTooOld, changes }: Pick<ChangesSince, 'isTooOld' | 'changes'>) => heard.push(isTooOld ? -1 : changes.length),
    forget: () => heard.push(-1),
  };
  const followers = {
    answers,
    syncs: { forget: () => (forgotten += 1) },
    places: { forget: () => (looksForPlaces += 1) },
    board,
    approved: new RememberedApproval({ current }),
  };
  const hear = (isTooOld: boolean, all: readonly StoreChange[]): readonly string[] => {
    calls.length = 0;
    outdate({ isTooOld, changes: all.map((change) => ({ ...change, position: '' })) }, followers);
    return calls.flat();
  };
  return {
    write: (...all: readonly StoreChange[]) => hear(false, all),
    hear,
    heard,
    calls,
    forgotten: () => forgotten,
    looksForPlaces: () => looksForPlaces,
    followers,
  };
}

const sync = (repositoryRef: ScopeRef, feeds: readonly SyncedKind[], onlyAttempts = false): StoreChange =>
  aChange({ kind: 'sync', key: 'source', repositoryRef, sync: { feeds, onlyAttempts } });

describe('a write to the store', () => {
  it.each<{ readonly what: string; readonly change: StoreChange; readonly ended: readonly string[] }>([
    { what: 'a commit of acme/widget', change: aChange({ kind: 'commit', repositoryRef: WIDGET }), ended: ['commits', 'commits of acme/widget'] },
    { what: 'a commit of acme/gadget', change: aChange({ kind: 'commit', repositoryRef: GADGET }), ended: ['commits'] },
    {
      what: 'the repository acme/widget',
      change: aChange({ kind: 'repository', repositoryRef: WIDGET }),
      ended: ['commits', 'commits of acme/widget', 'articles of acme/widget', 'repositories', 'sources'],
    },
    { what: 'an article of no repository', change: aChange({ kind: 'article', repositoryRef: NO_REPOSITORY }), ended: ['articles of acme/widget'] },
    { what: 'news', change: aChange({ kind: 'news', repositoryRef: NO_REPOSITORY }), ended: ['news'] },
    { what: 'a check', change: aChange({ kind: 'check', repositoryRef: NO_REPOSITORY, serviceKey: 'acme:api' }), ended: ['status'] },
    { what: 'a video, which no answer shows', change: aChange({ kind: 'video', repositoryRef: WIDGET }), ended: [] },
  ])('of $what ends exactly the answers that may show it', ({ change, ended }) => {
    const { write, forgotten, looksForPlaces } = followed();
    expect(write(change)).toEqual(ended);
    expect([forgotten(), looksForPlaces()]).toEqual([0, 1]);
  });

  it.each<{ readonly what: string; readonly change: StoreChange; readonly ended: readonly string[] }>([
    { what: 'a source of news', change: sync(NO_REPOSITORY, ['news']), ended: ['news', 'sources'] },
    {
      what: 'a source of no repository that feeds commits',
      change: sync(NO_REPOSITORY, ['commit', 'check']),
      ended: ['commits', 'commits of acme/widget', 'commits of acme/private', 'status', 'sources'],
    },
    { what: 'the attempts of a source', change: sync(WIDGET, ['repository', 'commit'], true), ended: ['sources'] },
    {
      what: 'a source of acme/gadget',
      change: sync(GADGET, ['repository', 'commit']),
      ended: ['commits', 'repositories', 'sources'],
    },
    {
      what: 'a source that feeds only builds of acme/widget, whose lastSyncedAt every answer of the repository shows',
      change: sync(WIDGET, ['build']),
      ended: ['commits', 'commits of acme/widget', 'articles of acme/widget', 'repositories', 'sources'],
    },
  ])('of $what ends exactly the answers that depend on it, and the snapshot of sync records', ({ change, ended }) => {
    const { write, forgotten } = followed();
    expect([write(change), forgotten()]).toEqual([ended, 1]);
  });

  it('ends answers of a repository with a forge id by its name', () => {
    const pinned = new Allowlist([{ fullName: 'Acme/Widget', owner: 'Acme', name: 'Widget', forgeId: '7' }]).approved();
    const { write } = followed(() => pinned);
    expect(write(aChange({ kind: 'commit', repositoryRef: 'acme/widget#7' }))).toEqual(['commits', 'commits of acme/widget']);
    expect(write(aChange({ kind: 'commit', repositoryRef: 'acme/widget#8' }), aChange({ kind: 'commit', repositoryRef: WIDGET }))).toEqual([]);
  });

  it('ends the answers of all changes of a batch at once', () => {
    const { write, calls } = followed();
    write(
      aChange({ kind: 'commit', repositoryRef: GADGET }),
      aChange({ kind: 'news', repositoryRef: NO_REPOSITORY }),
      aChange({ kind: 'commit', repositoryRef: PRIVATE }),
    );
    expect(calls).toEqual([['commits', 'news']]);
  });

  it('to a repository that is not approved ends nothing, also the answers that ask for it, and leaves the snapshot', () => {
    const kind = fc.constantFrom<RecordKind>('repository', 'commit', 'release', 'finding', 'build', 'mission', 'article', 'video', 'incident');
    const feeds = fc.subarray<SyncedKind>(['repository', 'commit', 'news', 'check']);
    const change = fc.oneof(
      kind.map((of) => aChange({ kind: of, repositoryRef: PRIVATE })),
      fc.tuple(feeds, fc.boolean()).map(([of, onlyAttempts]) => sync(PRIVATE, of, onlyAttempts)),
    );
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 5 }), (changes) => {
        const { write, calls, forgotten, looksForPlaces } = followed();
        expect([write(...changes), calls, forgotten(), looksForPlaces()]).toEqual([[], [], 0, 0]);
      }),
    );
  });

  it('is judged by the allowlist of its moment', () => {
    const lists = [Allowlist.of(WIDGET).approved(), Allowlist.of(WIDGET, PRIVATE).approved()];
    const { write } = followed(() => lists.shift() ?? approved);
    const change = aChange({ kind: 'commit', repositoryRef: PRIVATE });
    expect([write(change), write(change), write(change)]).toEqual([[], ['commits', 'commits of acme/private'], []]);
  });

  it('ends only answers about records of no repository while the allowlist cannot be read', () => {
    const { write, forgotten } = followed(() => {
      throw new UnavailableError();
    });
    expect(write(aChange({ kind: 'commit', repositoryRef: WIDGET }), sync(WIDGET, ['news']))).toEqual([]);
    expect([write(aChange({ kind: 'news', repositoryRef: NO_REPOSITORY })), forgotten()]).toEqual([['news'], 0]);
  });

  it('ends everything if it is not known what was written', () => {
    const { hear, heard, forgotten } = followed();
    expect([hear(true, []), forgotten(), heard]).toEqual([Object.keys(ANSWERS), 1, [-1]]);
  });

  it('is told to the board of services, whatever the permission', () => {
    const { hear, heard } = followed();
    hear(false, [aChange({ kind: 'check', serviceKey: 'acme:api' }), aChange({ kind: 'commit', repositoryRef: PRIVATE })]);
    expect(heard).toEqual([2]);
  });
});

describe('a store that is followed', () => {
  it('ends answers before the process handles its next event, and none after the end', async () => {
    const { readers, writer, changeFeed } = await openMemoryStore({ clock: new StandingClock(NOW) });
    const { calls, followers } = followed();
    const end = followChanges(changeFeed, followers, (error) => {
      throw error;
    });
    const context = { signal: new AbortController().signal };
    await new Promise(setImmediate);
    expect(calls).toEqual([Object.keys(ANSWERS)]);
    await writer.put([someNews()], context);
    await new Promise(setImmediate);
    expect(calls.slice(1)).toEqual([['news']]);
    end();
    await writer.put([someNews({ id: 'other' })], context);
    await new Promise(setImmediate);
    expect([calls.length, (await readers.news.byId('other', context))?.id]).toEqual([2, 'other']);
  });

  it('has its sync records and services read again while its feed cannot be read', async () => {
    const { calls, heard, forgotten, followers } = followed();
    const errors: unknown[] = [];
    const broken = new UnavailableError('no feed');
    const changesSince = (): Promise<never> => new Promise((_, reject) => setTimeout(() => reject(broken), 5));
    const end = followChanges({ changesSince }, followers, (error) => errors.push(error));
    while (errors.length < 2) await new Promise(setImmediate);
    end();
    expect([calls, forgotten(), heard, errors[1]]).toEqual([[], errors.length, errors.map(() => -1), broken]);
  });
});
