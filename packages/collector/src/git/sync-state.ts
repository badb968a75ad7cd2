import { createHash } from 'node:crypto';
import type { GitOrigin } from './git-origin.js';
import type { GitRef } from './git-refs.js';

/** What a git source remembers between its runs. */
export interface SyncState {
  /** Of everything but the repository that its records depend on. */
  readonly shape: string;
  /** Digest of the refs whose records are all stored. */
  readonly refs: string;
  /** Commits whose change was unknown, because the clone ended there. */
  readonly edge: readonly string[];
  /** How many commits are stored without their change because git could not read it, and one of them. */
  readonly gaps: Gaps;
  /** {@link tagMark} of every tag. */
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

/** Raised when records would be made in another way, so that all are made anew. */
const RECORDS_VERSION = 1;
const MARK_LENGTH = 10;

export function shapeOf({ ref, name, addresses, label }: GitOrigin): string {
  return hash(JSON.stringify([RECORDS_VERSION, ref, name.fullName, addresses.commit('0'), addresses.tag('0'), label])).slice(0, 16);
}

/** Short for a tag and what it points at: enough to see that it moved. */
export function tagMark({ name, sha }: GitRef): string {
  return hash(`${sha} ${name}`).slice(0, MARK_LENGTH);
}

export function writeState(state: SyncState): string {
  return JSON.stringify({ ...state, tags: state.tags.join('') });
}

/** `null` for a state that is none: the source then compares everything again. */
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

/** States of earlier versions have none. */
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
