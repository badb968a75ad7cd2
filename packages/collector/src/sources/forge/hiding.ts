import { DAY, formatInstant, HOUR, nameOfRef, type Instant, type PlainIdentity, type RepositoryRef, type Sync } from '@vitrine/core';
import type { Validators } from '../../fetching/fetch-document.js';
import * as approvals from '../../running/approvals.js';
import type { RegisteredSource } from '../../running/registered-source.js';
import { DocumentError, type SourceContext } from '../../running/source.js';
import type { ForgeCall, ForgeClient, ForgeDocument } from './forge-client.js';
import type { ForgeDialect, ForgeOrigin, ForgeRepository } from './forge-dialect.js';
import { unread, type ForgeState } from './forge-state.js';

const MOST_MOVES = 3;

export interface FoundRepository {
  /** The path in the API under which it is now. */
  readonly base: string;
  readonly isMoved: boolean;
  /** `null`: it is as it was when it was read last. */
  readonly changed: { readonly repository: ForgeRepository; readonly validators: Validators } | null;
}

interface FindRepositoryOptions extends ForgeCall {
  readonly client: ForgeClient;
  readonly dialect: ForgeDialect;
  readonly origin: ForgeOrigin;
  readonly state: Pick<ForgeState, 'id' | 'repository'>;
}

/** Reads the repository unless it has not changed. One that was renamed is followed on its host. Rejects if the forge cannot be reached. Resolves with the reason if it must be hidden. */
export async function findRepository(options: FindRepositoryOptions): Promise<FoundRepository | approvals.HiddenReason> {
  const { client, dialect, origin, state } = options;
  const path = client.basePath + dialect.repositoryPath(origin.name);
  let base = path;
  let isForGood = true;
  for (let moves = 0; moves <= MOST_MOVES; moves++) {
    const answer = await client.get(base, state.repository, options);
    if (answer.kind === 'gone') return 'gone';
    if (answer.kind === 'unchanged') return { base, isMoved: moves > 0, changed: null };
    if (answer.kind === 'document') return judged(answer, { base, isMoved: moves > 0 }, options);
    if (answer.path === null) break;
    base = answer.path;
    isForGood &&= !answer.isTemporary;
  }
  // Such as a page for signing in.
  if (!isForGood) throw new DocumentError('not a forge', `${path} redirects, and not to a repository; correct the address in api`);
  return 'other-id';
}

function judged({ json, validators }: ForgeDocument, place: Omit<FoundRepository, 'changed'>, options: FindRepositoryOptions) {
  const { client, dialect, origin, state } = options;
  const repository = dialect.readRepository(json, client.isAnonymous);
  if (repository === null) throw new DocumentError('not a forge', `${place.base} does not describe a repository; correct the address in api`);
  if (!repository.isPublic) return 'private';
  // The id that the allowlist pins, or else the last known one: the new name of a repository that was renamed may belong to another owner.
  const [, pinnedId] = origin.ref.split('#');
  const expected = pinnedId ?? (place.isMoved ? state.id : repository.ids[0]);
  return expected !== null && repository.ids.includes(expected) ? { ...place, changed: { repository, validators } } : 'other-id';
}

const BATCH = 1_000;

/** Removes every record of a repository, and the state of all its sources. What a records file says stays, and is hidden. It reads the whole store. @param own the source that calls */
async function forgetRepository(ref: RepositoryRef, own: string, { writer, collection, signal }: SourceContext): Promise<number> {
  const context = { signal };
  const syncs: Sync[] = [];
  let batch: PlainIdentity[] = [];
  let removed = 0;
  for await (const record of collection.records(context)) {
    if (!('repositoryRef' in record) || record.repositoryRef !== ref) continue;
    if (record.kind === 'sync') syncs.push(record);
    else batch.push(withoutContent(record));
    if (batch.length < BATCH) continue;
    removed += await writer.remove(batch, context);
    batch = [];
  }
  removed += await writer.remove(batch, context);
  for (const { id } of syncs) removed += await writer.withdraw(id, context);
  const others = syncs.filter(({ id }) => id !== own).map((sync) => ({ ...sync, state: null }));
  if (others.length > 0) await writer.put(others, context);
  return removed;
}

/** A batch of images would fill the memory. */
function withoutContent(record: PlainIdentity): PlainIdentity {
  return record.kind === 'image' ? { kind: record.kind, repositoryRef: record.repositoryRef, id: record.id } : record;
}

/** The records of a hidden repository are kept for this long, because it may have been a mistake. */
const KEPT_MS = DAY;
/** The forge must have said so in as many hours, because a clock that jumps ahead makes a day of a minute. */
const LEAST_ANSWERS = 12;

const REASONS: Readonly<Record<approvals.HiddenReason, readonly [reason: string, remedy: string]>> = {
  private: ['its forge says that the repository is not public', 'Make it public, or remove it from approved'],
  gone: [
    'its forge has no such repository, or does not show it to the public',
    'Correct the name, make the repository public, or remove it from approved',
  ],
  'other-id': [
    'its forge says that another repository has this name, or that the repository was renamed',
    'Write the new name, or the id of the repository in approved, or remove it from approved',
  ],
};

/** One run of the source of a forge, and what was stored before it. */
export interface ForgeRun {
  readonly context: SourceContext;
  readonly at: Instant;
  readonly ref: RepositoryRef;
  readonly sync: Sync | null;
  readonly state: ForgeState;
  /** As it was hidden before the run. */
  readonly hidden: approvals.HiddenRepository | null;
}

export async function hiddenNow(ref: RepositoryRef, { collection, signal }: SourceContext): Promise<approvals.HiddenRepository | null> {
  const sync = await collection.sync(approvals.hiddenRepositoryId(nameOfRef(ref)), { signal });
  return sync === null ? null : approvals.hiddenRepositoryOf(sync);
}

/** Hides the repository of a forge source in every process, and removes its records when the forge has said the same for a day. @returns the state to complete the run with */
export async function hide(
  { id, intervalMs, registration }: RegisteredSource,
  reason: approvals.HiddenReason,
  { context, at, ref, state, hidden }: ForgeRun,
) {
  const { since, answers } = toldSo(hidden?.reason === reason ? hidden : null, at);
  // First, because the next steps may take a while.
  await context.writer.put([approvals.hiddenRepositorySync(nameOfRef(ref), { since, reason, answers, at, intervalMs })], context);
  const isRemoved = state.removedFor === since;
  const delay = isRemoved ? null : delayOf(since, at, answers.count);
  const [why, remedy] = REASONS[reason];
  const warnings = [`${id}: HIDDEN since ${formatInstant(since)}, because ${why}; ${delay ?? 'its records were removed'}. ${remedy}.`];
  const report = { stored: 0, unchanged: 0, removed: 0, warnings };
  // When the repository is public again, everything is read.
  const after = unread(state);
  if (isRemoved || delay !== null) return { report, state: after };
  const removed = await forgetRepository(ref, registration.id, context);
  return { report: { ...report, removed }, state: { ...after, lists: {}, isUnknown: false, removedFor: since } };
}

export async function showAgain(ref: RepositoryRef, { writer, signal }: SourceContext): Promise<void> {
  await writer.remove([{ kind: 'sync', id: approvals.hiddenRepositoryId(nameOfRef(ref)) }], { signal });
}

/** Since when, and how often the forge has said so. @param before the hidden repository, if the forge said the same before */
function toldSo(before: approvals.HiddenRepository | null, at: Instant) {
  const since = Math.min(before?.since ?? at, at);
  const answers = before?.answers;
  if (answers === undefined) return { since, answers: { count: 1, at } };
  // One more, if an hour has passed since the last that counts, or the clock was set back. Not above what is needed, so that the record stays as it is.
  const isMore = answers.count < LEAST_ANSWERS && Math.abs(at - answers.at) >= HOUR;
  return { since, answers: isMore ? { count: answers.count + 1, at } : answers };
}

/** What the removal of records waits for; `null`: nothing. */
function delayOf(since: Instant, at: Instant, answers: number): string | null {
  if (at - since < KEPT_MS) return `its records are removed after ${formatInstant(since + KEPT_MS)}`;
  return answers < LEAST_ANSWERS ? `its records are removed when its forge has said so in ${LEAST_ANSWERS - answers} more hours` : null;
}
