import { timeOf } from '../../kinds/identity.js';
import { type Instant, MINUTE, earliestOf } from '../../kinds/instant.js';
import type { ListedRecord } from '../../kinds/kinds.js';
import type { Page, Warning } from '../../kinds/page.js';
import type { ReadContext } from '../../ports/readers.js';
import type { ApprovedRepositories } from '../../rules/allowlist.js';
import { type Freshness, combinedStatus } from '../../rules/freshness.js';

export type { Warning };

export interface Answer<Data> extends Freshness {
  readonly data: Data;
}

/** An answer made of several sources, with the moment it was made. */
export interface ComposedAnswer<Data> extends Answer<Data> {
  readonly generatedAt: Instant;
}

export type PageAnswer<Item, Position> = Answer<Page<Item, Position>>;

export function unreadable(source: string): Warning {
  return { code: 'SOURCE_UNAVAILABLE', source, detail: `Stored ${source} records could not be read.` };
}

/** The freshness of an answer of which these parts could not be read. */
export function withoutParts({ dataStatus, warnings, changesAt }: Freshness, missing: readonly Warning[]): Freshness {
  return { dataStatus: combinedStatus(missing.length > 0 ? [dataStatus, 'partial'] : [dataStatus]), warnings: [...missing, ...warnings], changesAt };
}

/** The freshness of an answer whose data also changes at these moments. */
export function alsoChangingAt(freshness: Freshness, moments: readonly (Instant | null)[]): Freshness {
  return { ...freshness, changesAt: earliestOf([freshness.changesAt, ...moments]) };
}

/** One request's permission and cancellation. A request takes one set of approved repositories at its start. */
export interface UseCaseContext extends ReadContext {
  readonly approved: ApprovedRepositories;
}

/** For answers that can do without repositories: `null` when the allowlist cannot be read. */
export interface PartialContext extends ReadContext {
  readonly approved: ApprovedRepositories | null;
}

/** The latest time a record may bear to be served now: a little ahead, because clocks differ. */
export function latestVisible(now: Instant): Instant {
  return now + 5 * MINUTE;
}

/** Planned maintenance is announced ahead; other records are not served before their time. */
export function isVisible(record: ListedRecord, now: Instant): boolean {
  return timeOf(record) <= latestVisible(now) || (record.kind === 'incident' && record.incidentKind === 'maintenance');
}

/**
 * Starts a call and makes it reject where it would throw. Within `Promise.all`, a call that throws leaves the calls before it without a handler, and
 * the rejection of such a call ends the process.
 */
export async function started<Result>(call: () => Promise<Result>): Promise<Result> {
  return call();
}
