import { hash } from 'node:crypto';
import { nameOfRef, type RepositoryRef, type Sync } from '@vitrine/core';
import { z } from 'zod';
import { parseState } from '../../running/registered-source.js';
import type { GitOrigin } from '../git/git-collection.js';

/** Increase this if records are created in a different way, so that all of them are created again. */
const RECORDS_VERSION = 3;

const validators = { etag: z.string().nullable(), lastModified: z.string().nullable() };

const page = z.object({
  /** Below the address of the repository, with its query. */
  path: z.string(),
  ...validators,
  ids: z.array(z.string()),
  next: z.string().nullable(),
});

const list = z.object({
  pages: z.array(page),
  /** The ids of records that may be stored, but are on none of the pages. */
  left: z.array(z.string()),
});

/** A pull request from a branch of the repository itself to another branch of it; at GitLab, a merge request. */
const pullRequest = z.object({
  number: z.number(),
  branch: z.string(),
  /** The last commit of that branch, as the forge names it. */
  head: z.string(),
  /** The branch into which it was to be merged. */
  base: z.string(),
  /** Who opened it, if the forge lets everybody open one between two branches of a repository; `null` if the team did. */
  opener: z.number().nullable(),
  /** `closed`: without merging. */
  fate: z.enum(['open', 'merged', 'closed']),
  /** `null` if it was not closed, or if the forge does not say when. */
  closedAt: z.number().nullable(),
  updatedAt: z.number(),
});

/** What is known and the validators of its list are one value, so neither can be lost without the other. */
const pullRequests = z.object({
  ...validators,
  /** When the one on top of the list was changed. Everything that was changed before is known. */
  newest: z.number(),
  known: z.array(pullRequest),
});

const schema = z.object({
  settings: z.string(),
  /** The id that the forge gave to the repository when it was read last. */
  id: z.string().nullable(),
  repository: z.object({ ...validators, withheld: z.array(z.string()) }).nullable(),
  lists: z.record(z.string(), list),
  /** Whether more may be stored than the lists say, because an earlier state was cleared. */
  isUnknown: z.boolean(),
  /** Since when the repository was hidden whose records were removed. */
  removedFor: z.number().nullable(),
  pullRequests: pullRequests.nullable(),
});

export type ForgePullRequest = z.output<typeof pullRequest>;
export type ListState = z.output<typeof list>;
export type PullRequestsState = z.output<typeof pullRequests>;
/** The state of a forge source between its runs: the validators of each address, and the ids of its stored records. */
export type ForgeState = z.output<typeof schema>;

export const EMPTY_LIST: ListState = { pages: [], left: [] };

export function forgeSourceId({ type, ref }: { readonly type: string; readonly ref: RepositoryRef }): string {
  return `${type}:${nameOfRef(ref)}`;
}

/** A hash of everything outside of the forge that records depend on. */
export function forgeSettings({ ref, name, addresses, label }: GitOrigin, api: string, hasPullRequests: boolean): string {
  const settings = [api, ref, name.fullName, addresses.repository, label, ...(hasPullRequests ? ['pull requests'] : [])];
  return hash('sha256', JSON.stringify([RECORDS_VERSION, settings]), 'base64url').slice(0, 16);
}

/** The stored state; of one with other settings, only the ids. The state is cleared while the repository is not approved, and then more may be stored than it says. */
export function readState(sync: Sync | null, settings: string): ForgeState {
  const state = parseState(schema, sync?.state);
  const isUnknown = sync !== null && sync.lastSuccessAt !== null;
  if (state === null) return { settings, id: null, repository: null, lists: {}, isUnknown, removedFor: null, pullRequests: null };
  return state.settings === settings ? state : { ...unread(state), settings };
}

/** The same state, with the ids only: everything is read again. */
export function unread(state: ForgeState): ForgeState {
  const lists = Object.entries(state.lists).map(([kind, list]): [string, ListState] => [kind, { pages: [], left: idsOf(list) }]);
  return { ...state, repository: null, lists: Object.fromEntries(lists), pullRequests: null };
}

/** Everything of a list that may be stored. */
export function idsOf({ pages, left }: ListState): string[] {
  return [...new Set([...pages.flatMap(({ ids }) => ids), ...left])];
}
