import { keyOfIdentity, type PlainRecord } from '../kinds/identity.js';
import type { RepositoryRef } from '../kinds/repository-name.js';
import { sameValue } from './stored-record.js';
import { type PutOptions, sameVouchers, type VouchedRecord, withoutStatement, withStatement } from './vouched-record.js';

type Kind = PlainRecord['kind'];

/** What a store holds under the key of a record. A record that cannot be decoded is `null`: it counts as missing, and is overwritten. */
export type FoundVersion = { readonly stored: VouchedRecord | null };

/** What a batch changes under one key. */
export interface RecordChange<Found extends FoundVersion> {
  readonly kind: Kind;
  readonly key: string;
  /** `null` if nothing was stored. */
  readonly found: Found | null;
  readonly before: PlainRecord | null;
  /** `null`: it is removed. */
  readonly after: VouchedRecord | null;
  /** Whether the record stays the same, and its sources change. */
  readonly onlyVouches: boolean;
}

/** The repositories whose latest release or activity may change with some records. */
export function touchedRepositories(changes: readonly RecordChange<FoundVersion>[]): readonly RepositoryRef[] {
  const records = changes.flatMap(({ before, after, onlyVouches }) => (onlyVouches ? [] : (after?.record ?? before ?? [])));
  const touching = records.filter((record) => record.kind === 'repository' || record.kind === 'commit' || record.kind === 'release');
  return [...new Set(touching.map(({ repositoryRef }) => repositoryRef))];
}

interface Version<Found extends FoundVersion> extends Pick<RecordChange<Found>, 'kind' | 'key' | 'found'> {
  readonly current: VouchedRecord | null;
  readonly isStored: boolean;
}

/** Decides the changes of a batch. A record that was put counts as stored for the following ones. */
export class VouchedBatch<Found extends FoundVersion> {
  /** Nearly all records are put again as they are. Only the others are kept, so the rest takes no memory, and is compared only once. */
  readonly #changed = new Map<string, Version<Found>>();

  /** @param find returns what is stored under a key; `null` for nothing */
  constructor(private readonly find: (kind: Kind, key: string) => Found | null) {}

  put(given: PlainRecord, options: PutOptions): 'stored' | 'unchanged' | 'unknown-commit' {
    const version = this.#version(given.kind, keyOfIdentity(given));
    const before = version.current;
    const vouched = withStatement(before, given, options);
    if (vouched === null) return 'unknown-commit';
    const isSame = before !== null && sameValue(vouched.record, before.record);
    if (!isSame || !sameVouchers(vouched, before)) this.#keep({ ...version, current: vouched, isStored: true });
    return isSame ? 'unchanged' : 'stored';
  }

  /** Withdraws a source; `null`: all. Returns whether this removes the record, as it does if it cannot be decoded. @param found if the caller has read it */
  remove(kind: Kind, key: string, source: string | null, found?: Found): boolean {
    const version = this.#version(kind, key, found);
    if (!version.isStored) return false;
    const current = version.current && withoutStatement(version.current, source);
    if (current === null || current !== version.current) this.#keep({ ...version, current, isStored: current !== null });
    return current === null;
  }

  changes(): readonly RecordChange<Found>[] {
    return [...this.#changed.values()].map(changeOf).filter(isChange);
  }

  #version(kind: Kind, key: string, given?: Found): Version<Found> {
    const changed = this.#changed.get(nameOf(kind, key));
    if (changed !== undefined) return changed;
    const found = given ?? this.find(kind, key);
    return { kind, key, found, current: found?.stored ?? null, isStored: found !== null };
  }

  #keep(version: Version<Found>): void {
    this.#changed.set(nameOf(version.kind, version.key), version);
  }
}

function nameOf(kind: Kind, key: string): string {
  return `${kind} ${key}`;
}

function changeOf<Found extends FoundVersion>({ kind, key, found, current: after }: Version<Found>): RecordChange<Found> {
  const before = found?.stored?.record ?? null;
  return { kind, key, found, before, after, onlyVouches: after !== null && sameValue(after.record, before) };
}

/** A record can also be as before at the end of a batch. */
function isChange({ found, after, onlyVouches }: RecordChange<FoundVersion>): boolean {
  if (after === null || found === null) return after !== found;
  return !onlyVouches || found.stored === null || !sameVouchers(after, found.stored);
}
