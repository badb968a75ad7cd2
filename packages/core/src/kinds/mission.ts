import type { KindFacts } from './fields.js';
import type { Instant } from './instant.js';
import type { Provenance } from './provenance.js';
import type { ScopeRef } from './repository-name.js';

export const MISSION_STATUSES = ['planned', 'active', 'paused', 'completed', 'cancelled'] as const;
export type MissionStatus = (typeof MISSION_STATUSES)[number];

export interface Mission {
  readonly kind: 'mission';
  readonly repositoryRef: ScopeRef;
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly status: MissionStatus;
  readonly progress: { readonly completed: number; readonly total: number; readonly percent: number };
  readonly labels: readonly string[];
  /** Never changes once stored, because lists are sorted by it. */
  readonly createdAt: Instant;
  readonly startedAt: Instant | null;
  readonly targetAt: Instant | null;
  readonly completedAt: Instant | null;
  readonly url: string;
  readonly provenance: Provenance;
}

export const MISSION_FACTS = {
  plural: 'missions',
  ownership: 'sometimes',
  reader: 'record',
  filters: ['status'],
  ownUrls: ['url'],
  fixedTimes: ['createdAt'],
  filledTimes: [],
} as const satisfies KindFacts<Mission>;
