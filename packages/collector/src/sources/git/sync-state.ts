import { createHash } from 'node:crypto';
import type { GitOrigin } from './git-collection.js';
import type { GitRef } from './git-refs.js';

/** The state that a git source keeps between its runs. */
export interface SyncState {
  /** A hash of everything outside the repository that its records depend on. */
  readonly shape: string;
  /** The hash of the refs whose records are all stored. */
  readonly refs: string;
  /** The commits whose changes were unknown, because the shallow clone ended there. */
  readonly edge: readonly string[];
  /** The number of commits that are stored without their changes because git could not read them, and one of them as an example. */
  readonly gaps: Gaps;
  /** The {@link tagMark} of every tag. */
  readonly tags: readonly string[];
  readonly commits: number;
  readonly releases: number;
}

export interface Gaps {
  readonly count: number;
  /** `null`: there are none. */
  readonly example: string | null;
}

export const NO_GAPS: Gaps = { count: 0, example: null };

/**
 * Increase this if records are created in a different way, so that all of them are created again. Since version 2, the source vouches for its records.
 */
const RECORDS_VERSION = 2;
const MARK_LENGTH = 10;

export function shapeOf({ ref, name, addresses, label }: GitOrigin): string {
  return hash(JSON.stringify([RECORDS_VERSION, ref, name.fullName, addresses.commit('0'), addresses.tag('0'), label])).slice(0, 16);
}

/** A short hash of a tag and its object. It changes if the tag moves. */
export function tagMark({ name, sha }: GitRef): string {
  return hash(`${sha} ${name}`).slice(0, MARK_LENGTH);
}

export function writeState(state: SyncState): string {
  return JSON.stringify({ ...state, tags: state.tags.join('') });
}

/** `null` if the state is invalid: the source then compares everything again. */
export function readState(text: string | null): SyncState | null {
  try {
    return stateOf(JSON.parse(text ?? 'null'));
  } catch {
    return null;
  }
}

function stateOf(value: unknown): SyncState | null {
  if (!isRecord(value)) return null;
  const { shape, refs, edge, gaps, tags, commits, releases } = value;
  if (!isText(shape) || !isText(refs) || !isText(tags) || !Array.isArray(edge)) return null;
  const totals = { commits: count(commits), releases: count(releases) };
  return { shape, refs, edge: edge.filter(isText), gaps: gapsOf(gaps), tags: tags.match(/.{10}/g) ?? [], ...totals };
}

/** States of earlier versions have no gaps. */
function gapsOf(value: unknown): Gaps {
  return isRecord(value) && isText(value['example']) ? { count: count(value['count']), example: value['example'] } : NO_GAPS;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function count(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
