import { publishableRecord, quotable, remembered, SERVICE_STATES } from '@vitrine/core';
import type { Check, Instant, LatestState, Provenance, QuarantineMonitor } from '@vitrine/core';
import { NumberedNames, type SqliteDatabase } from '../database/sqlite-database.js';
import { isFlag, isNumber, isText, listOf, maybe, objectOf, storedJson } from '../records/reading.js';

/** A stored check: time, profile, response time, time of observation. */
type CheckRow = readonly [time: Instant, profile: number, response: number | null, observed: Instant];

/** The values that many checks of one source share. */
interface Profile extends Pick<Check, 'state' | 'rawState' | 'validForMs'> {
  readonly provenance: Omit<Provenance, 'observedAt' | 'publishedAt'>;
  /** Milliseconds from the check to the time of publication at the origin; `null` if that is unknown. */
  readonly publishedAfterMs: number | null;
}

type StoredLatest = Omit<LatestState, 'sources'> & {
  readonly sources: readonly { readonly newest: CheckRow; readonly known: CheckRow | null }[];
};

export const isState = (value: unknown): boolean => SERVICE_STATES.some((state) => state === value);

const isProfile = objectOf<Profile>({
  state: isState,
  rawState: isText,
  validForMs: isNumber,
  provenance: objectOf<Profile['provenance']>({
    source: isText,
    sourceKind: isText,
    sourceUrl: isText,
    confidence: isText,
    isOfficialSource: isFlag,
  }),
  publishedAfterMs: maybe(isNumber),
});

const isRow = listOf(maybe(isNumber));

export const isLatest = objectOf<StoredLatest>({
  serviceKey: isText,
  firstCheckedAt: isNumber,
  lastCheckedAt: isNumber,
  sources: listOf(objectOf<StoredLatest['sources'][number]>({ newest: isRow, known: maybe(isRow) })),
});

function isCheckRow(columns: readonly unknown[]): columns is CheckRow {
  const [time, profile, response, observed] = columns;
  return [time, profile, observed].every((value) => typeof value === 'number') && (response === null || typeof response === 'number');
}

export const CHECK_COLUMNS = 'time, profile, response, observed';

const KEPT_PROFILES = 10_000;

/** Turns checks into rows and back. A profile that cannot be decoded or published is reported, and its checks are skipped. */
export class CheckRows {
  readonly profile = remembered(KEPT_PROFILES, (id: number) => this.#decoded(id));
  readonly #ids: NumberedNames;

  constructor(
    private readonly database: SqliteDatabase,
    private readonly monitor: QuarantineMonitor | null,
  ) {
    this.#ids = new NumberedNames(database, 'check_profile', 'json');
  }

  /** Stores the profile of the check if it is new. */
  rowOf(check: Check): CheckRow {
    return [check.checkedAt, this.#ids.create(JSON.stringify(profileOf(check))), check.responseTimeMs, check.provenance.observedAt];
  }

  check(serviceKey: string, columns: readonly unknown[]): Check | null {
    if (!isCheckRow(columns)) {
      this.monitor?.quarantined('check', `${quotable(serviceKey)} ${quotable(String(columns[0]))}`, 'unreadable');
      return null;
    }
    const [checkedAt, id, responseTimeMs, observedAt] = columns;
    const profile = this.profile(id);
    return profile === null ? null : checkOf(profile, { serviceKey, checkedAt, responseTimeMs, observedAt });
  }

  checks(serviceKey: string, rows: readonly (readonly unknown[])[]): Check[] {
    return rows.flatMap((row) => this.check(serviceKey, row) ?? []);
  }

  latestJson({ serviceKey, firstCheckedAt, lastCheckedAt, sources }: LatestState): string {
    const stored = sources.map(({ newest, known }) => ({ newest: this.rowOf(newest), known: known === null ? null : this.rowOf(known) }));
    return JSON.stringify({ serviceKey, firstCheckedAt, lastCheckedAt, sources: stored } satisfies StoredLatest);
  }

  latest({ serviceKey, firstCheckedAt, lastCheckedAt, sources }: StoredLatest): LatestState {
    return {
      serviceKey,
      firstCheckedAt,
      lastCheckedAt,
      sources: sources.flatMap(({ newest, known }) => {
        const check = this.check(serviceKey, newest);
        return check === null ? [] : [{ newest: check, known: known === null ? null : this.check(serviceKey, known) }];
      }),
    };
  }

  #decoded(id: number): Profile | null {
    const published = publishedProfile(this.database.row('select json from check_profile where id = ?', id)?.[0]);
    if (typeof published !== 'string') return published;
    this.monitor?.quarantined('check', `profile ${quotable(String(id))}`, published);
    return null;
  }
}

type OwnFacts = Pick<Check, 'serviceKey' | 'checkedAt' | 'responseTimeMs'> & Pick<Provenance, 'observedAt'>;

/** Without rest and spread, which take 20 times as long: a status has many thousands of checks. */
function checkOf({ state, rawState, validForMs, provenance, publishedAfterMs }: Profile, own: OwnFacts): Check {
  const { source, sourceKind, sourceUrl, confidence, isOfficialSource } = provenance;
  const { serviceKey, checkedAt, responseTimeMs, observedAt } = own;
  const publishedAt = publishedAfterMs === null ? {} : { publishedAt: checkedAt + publishedAfterMs };
  return {
    kind: 'check',
    serviceKey,
    state,
    rawState,
    checkedAt,
    responseTimeMs,
    validForMs,
    provenance: { source, sourceKind, sourceUrl, observedAt, ...publishedAt, confidence, isOfficialSource },
  };
}

function profileOf({ state, rawState, validForMs, checkedAt, provenance }: Check): Profile {
  const { source, sourceKind, sourceUrl, confidence, isOfficialSource, publishedAt } = provenance;
  const publishedAfterMs = publishedAt === undefined ? null : publishedAt - checkedAt;
  return { state, rawState, validForMs, provenance: { source, sourceKind, sourceUrl, confidence, isOfficialSource }, publishedAfterMs };
}

/** The profile in the form that may be published, or the reason why it cannot be used. */
function publishedProfile(json: unknown): Profile | string {
  const profile = storedJson(json, isProfile);
  if (profile === null) return 'unreadable';
  const check = publishableRecord(checkOf(profile, { serviceKey: '', checkedAt: 0, responseTimeMs: null, observedAt: 0 }));
  return typeof check === 'string' ? check : profileOf(check);
}
