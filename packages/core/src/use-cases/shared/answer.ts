import { earliestOf, type Instant } from '../../domain/shared/instant.js';
import type { Page } from '../../domain/shared/page.js';
import type { Warning } from '../../domain/shared/warning.js';
import { combinedStatus, type Freshness } from '../../policies/freshness.js';

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
