import type { Instant } from '../../domain/shared/instant.js';
import type { Page } from '../../domain/shared/page.js';
import type { DataStatus } from '../../policies/freshness.js';

export interface Warning {
  /** `SOURCE_UNAVAILABLE` */
  readonly code: string;
  /** What could not be read: a kind, never a repository. */
  readonly source: string;
  readonly detail: string;
}

export interface Answer<Data> {
  readonly data: Data;
  readonly dataStatus: DataStatus;
}

/** An answer made of several sources, with the moment it was made. */
export interface ComposedAnswer<Data> extends Answer<Data> {
  readonly warnings: readonly Warning[];
  readonly generatedAt: Instant;
}

export type PageAnswer<Item, Position> = Answer<Page<Item, Position>>;

export function unreadable(source: string): Warning {
  return { code: 'SOURCE_UNAVAILABLE', source, detail: `Stored ${source} records could not be read.` };
}
