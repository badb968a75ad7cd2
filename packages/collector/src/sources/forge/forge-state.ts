import { hash } from 'node:crypto';
import { nameOfRef } from '@vitrine/core';
import { z } from 'zod';
import { parseState } from '../../running/registered-source.js';
import type { ForgeOrigin } from './forge-dialect.js';

/** Increase this if records are created in a different way, so that all of them are created again. */
const RECORDS_VERSION = 3;

const validator = z.string().nullable();

const page = z.object({
  /** Below the address of the repository, with its query. */
  path: z.string(),
  etag: validator,
  lastModified: validator,
  ids: z.array(z.string()),
  next: z.string().nullable(),
});

const list = z.object({
  pages: z.array(page),
  /** The ids of records that may be stored, but are on none of the pages. */
  left: z.array(z.string()),
});

const pullRequest = z.object({
  number: z.number(),
  branch: z.string(),
  head: z.string(),
  base: z.string(),
  opener: z.number().nullable(),
  fate: z.enum(['open', 'merged', 'closed']),
  closedAt: z.number().nullable(),
  updatedAt: z.number(),
});

/** What is known and the validators of its list are one value, so neither can be lost without the other. */
const pullRequests = z.object({
  etag: validator,
  lastModified: validator,
  /** When the one on top of the list was changed. Everything that was changed before is known. */
  newest: z.number(),
  known: z.array(pullRequest),
});

const schema = z.object({
  settings: z.string(),
  /** The id that the forge gave to the repository when it was read last. */
  id: z.string().nullable(),
  repository: z.object({ etag: validator, lastModified: validator, withheld: z.array(z.string()) }).nullable(),
  lists: z.record(z.string(), list),
  /** Whether more may be stored than the lists say, because an earlier state was cleared. */
  isUnknown: z.boolean(),
  /** Since when the repository was hidden whose records were removed. */
  removedFor: z.number().nullable(),
  /** `null` if they were not read. */
  pullRequests: pullRequests.nullable(),
});

export type PageState = z.output<typeof page>;
export type ListState = z.output<typeof list>;
export type PullRequestsState = z.output<typeof pullRequests>;
/** The state of a forge source between its runs: the validators of each address, and the ids of its stored records. */
export type ForgeState = z.output<typeof schema>;

export const EMPTY_LIST: ListState = { pages: [], left: [] };

export function forgeSourceId({ type, ref }: Pick<ForgeOrigin, 'type' | 'ref'>): string {
  return `${type}:${nameOfRef(ref)}`;
}

export interface ForgeSettings {
  readonly api: string;
  readonly origin: ForgeOrigin;
  readonly hasPullRequests: boolean;
}

/** A hash of everything outside of the forge that records depend on. */
export function forgeSettings({ api, origin, hasPullRequests }: ForgeSettings): string {
  const { ref, name, addresses, label } = origin;
  const settings = [api, ref, name.fullName, addresses.repository, label, ...(hasPullRequests ? ['pull requests'] : [])];
  return hash('sha256', JSON.stringify([RECORDS_VERSION, settings]), 'base64url').slice(0, 16);
}

/** The stored state; `null` if there is none. If the settings have changed, it has only the ids. */
export function readState(text: string | null | undefined, settings: string): ForgeState | null {
  const state = parseState(schema, text);
  if (state === null || state.settings === settings) return state;
  return { ...state, ...unread(state), settings, pullRequests: null };
}

/** The parts of a state of which everything is read again. It still has the ids. */
export function unread({ lists }: ForgeState): Pick<ForgeState, 'repository' | 'lists'> {
  const ids = Object.entries(lists).map(([kind, list]): [string, ListState] => [kind, { pages: [], left: idsOf(list) }]);
  return { repository: null, lists: Object.fromEntries(ids) };
}

/** @param isUnknown whether an earlier run may have stored something */
export function emptyState(settings: string, isUnknown: boolean): ForgeState {
  return { settings, id: null, repository: null, lists: {}, isUnknown, removedFor: null, pullRequests: null };
}

/** Everything of a list that may be stored. */
export function idsOf({ pages, left }: ListState): string[] {
  return [...new Set([...pages.flatMap(({ ids }) => ids), ...left])];
}
