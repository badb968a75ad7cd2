import type { ListedRecord } from '@vitrine/core';

/** How a kind's list is stored, and which filters it takes: by name of the query's field, the stored field that holds it. */
export interface StoredList {
  readonly collection: 'commits' | 'releases' | 'findings' | 'builds' | 'missions' | 'news' | 'articles' | 'videos' | 'incidents';
  /** The stored date that orders the list. */
  readonly time: string;
  readonly isScoped: boolean;
  /** The most selective first: it leads when several are asked for. */
  readonly filters: Readonly<Record<string, string>>;
}

export const LISTS = {
  commit: {
    collection: 'commits',
    time: 'committedAt',
    isScoped: true,
    filters: { author: 'authorKeys', changeType: 'changeType', branch: 'branch' },
  },
  release: { collection: 'releases', time: 'publishedAt', isScoped: true, filters: { platform: 'platform', releaseType: 'releaseType' } },
  finding: { collection: 'findings', time: 'detectedAt', isScoped: true, filters: { changeType: 'changeType', status: 'status' } },
  build: { collection: 'builds', time: 'listedAt', isScoped: true, filters: {} },
  mission: { collection: 'missions', time: 'createdAt', isScoped: true, filters: { status: 'status' } },
  news: { collection: 'news', time: 'listedAt', isScoped: false, filters: { source: 'source' } },
  article: {
    collection: 'articles',
    time: 'publishedAt',
    isScoped: true,
    filters: { tag: 'tags', articleKind: 'articleKind', language: 'language' },
  },
  video: { collection: 'videos', time: 'publishedAt', isScoped: true, filters: { source: 'provenance.source' } },
  incident: { collection: 'incidents', time: 'startedAt', isScoped: false, filters: { service: 'services.key', state: 'state' } },
} as const satisfies Readonly<Record<ListedRecord['kind'], StoredList>>;

type IndexKey = Readonly<Record<string, 1 | -1>>;

/** The index that merges the lists of at most 200 repositories. */
export function repositoryLedKey({ time }: StoredList, filter: string | null): IndexKey {
  return { repositoryRef: 1, ...led(filter), [time]: -1, _id: 1 };
}

/** The index that walks the list of everything; whose it is stands in its keys, so that hidden records are passed without being fetched. */
export function timeLedKey({ time, isScoped }: StoredList, filter: string | null): IndexKey {
  return { ...led(filter), [time]: -1, _id: 1, ...(isScoped ? { repositoryRef: 1 } : {}) };
}

function led(filter: string | null): IndexKey {
  return filter === null ? {} : { [filter]: 1 };
}

/** Every index that a list needs: for each filter, and for none. */
export function listIndexKeys(list: StoredList): readonly IndexKey[] {
  const led = [null, ...Object.values(list.filters)];
  return led.flatMap((filter) => [...(list.isScoped ? [repositoryLedKey(list, filter)] : []), timeLedKey(list, filter)]);
}
