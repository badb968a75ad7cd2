import {
  DAY,
  HOUR,
  MINUTE,
  startOfDay,
  type Check,
  type ReadContext,
  type RecordIdentity,
  type RecordWriter,
  type StoredRecord,
} from '@vitrine/core';
import { aCheck, aCommit, aProvenance, aRelease, aRepositoryRecord, aStatusDay, aSync, NOW, oneOfEach, someNews } from '@vitrine/core/testing';

/** How long a lease lasts in these tests. A collector that is slow on a busy machine must not lose it. */
export const LASTS_MS = 1_500;

/** Printed by a collector whose transaction begins again: the commands of the last attempt do not count. */
export const REPEATED = 'repeated';

export interface CollectingOptions {
  readonly uri: string;
  readonly database: string;
  readonly holder: string;
  /** The work of the second collector includes all of the first. */
  readonly work: 'first' | 'second' | 'reindex';
  /** The number of the command at which to pause; `null` to run through. */
  readonly stopAt: number | null;
  readonly moment: 'before' | 'during' | 'after';
}

const gadget = { repositoryRef: 'acme/gadget' } as const;
const KEPT_FROM = startOfDay(NOW - 400 * DAY);

/** Checks of three days, so that the coverage of one day reaches into the next. */
function checks(count: number, state: Check['state'], shift = 0): Check[] {
  return Array.from({ length: count }, (_, index) => {
    const checkedAt = NOW - index * 5 * HOUR - shift;
    return aCheck({ checkedAt, state, validForMs: 6 * HOUR, provenance: aProvenance({ source: 'Probe', observedAt: checkedAt }) });
  });
}

/** Stores the initial data. */
export async function begin(writer: RecordWriter, context: ReadContext): Promise<void> {
  const releases = ['v0', 'v1'].map((tagName, index) => aRelease({ ...gadget, tagName, publishedAt: NOW - (99 - index) * MINUTE }));
  await writer.put([...oneOfEach(), aRepositoryRecord(gadget), ...releases, ...checks(6, 'operational', MINUTE)], context);
  await writer.put([someNews({ id: 'nws_3', title: 'Widget news' })], context);
}

const batch: readonly StoredRecord[] = [
  aRepositoryRecord({ fullName: 'Acme/Gizmo', defaultBranch: 'next' }),
  aCommit({ title: 'An edited subject' }),
  aCommit({ sha: '7'.repeat(40), committedAt: NOW - MINUTE, branch: 'main' }),
  aRelease({ tagName: 'v9', publishedAt: NOW - MINUTE }),
  aRelease({ ...gadget, tagName: 'v2', publishedAt: NOW - MINUTE }),
  someNews({ id: 'nws_fresh', title: 'Fresh widgets' }),
];
const old = aStatusDay({ day: KEPT_FROM - 2 * DAY });
const more: readonly StoredRecord[] = [
  ...checks(2, 'outage', 2 * HOUR),
  aCommit({ sha: '8'.repeat(40), committedAt: NOW }),
  aRelease({ ...gadget, tagName: 'v3', publishedAt: NOW }),
  someNews({ id: 'nws_later', title: 'Later widgets' }),
];
const [someCheck] = checks(3, 'operational', MINUTE).slice(2);
const gone: readonly RecordIdentity[] = [
  aRelease({ ...gadget, tagName: 'v1' }),
  someNews({ id: 'nws_3' }),
  ...(someCheck === undefined ? [] : [{ ...someCheck, source: 'Probe' }]),
];

/** A record that must never be stored, because it is written after the lease was lost. */
export const after: StoredRecord = someNews({ id: 'nws_never', title: 'Never' });

/** The run of a source, with every kind of write. */
export async function collect(writer: RecordWriter, work: 'first' | 'second', context: ReadContext): Promise<void> {
  await writer.put([...batch, ...checks(3, 'degraded', 3 * HOUR), old, ...(work === 'second' ? more : [])], context);
  await writer.remove(gone, context);
  await writer.moveCommits('acme/widget', [{ sha: '7'.repeat(40), branch: 'next' }], context);
  await writer.put([aSync({ lastSuccessAt: NOW, state: work })], context);
}
