import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { DAY, type Instant } from '@vitrine/core';
import { z } from 'zod';

const schema = z.record(z.string(), z.object({ ids: z.array(z.string()), at: z.number() }));

/** Which sync records the configurations of a store have created: the ids, and when a collector said so last. By {@link ownerOf}. */
export type SourceClaims = z.output<typeof schema>;

/** A configuration that was not collected for this long counts as gone: its file may have been renamed. */
const GONE_AFTER_MS = 30 * DAY;
const HASH_LENGTH = 12;

/** Stands for a configuration file in the store. Only a hash of its path is stored. @param file empty: one without a name */
export function ownerOf(file: string): string {
  if (file === '') return '-';
  return createHash('sha256').update(resolve(file)).digest('hex').slice(0, HASH_LENGTH);
}

/** @param owner gets the list of an older version, which knew one configuration only: lines with an id each */
export function parseClaims(text: string, owner: string): SourceClaims {
  if (text === '') return {};
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return { [owner]: { ids: text.split('\n'), at: 0 } };
  }
}

/** What a configuration has to know of the others. */
export interface OtherClaims {
  /** Those that still collect. */
  readonly living: SourceClaims;
  /** The ids of the rest. */
  readonly goneIds: readonly string[];
}

export function otherClaims(claims: SourceClaims, owner: string, now: Instant): OtherClaims {
  const others = Object.entries(claims).filter(([name]) => name !== owner);
  const [living, gone] = [others.filter(([, { at }]) => now - at <= GONE_AFTER_MS), others.filter(([, { at }]) => now - at > GONE_AFTER_MS)];
  return { living: Object.fromEntries(living), goneIds: gone.flatMap(([, { ids }]) => ids) };
}
