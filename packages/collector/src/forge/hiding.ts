import { DAY, HOUR, formatInstant, nameOfRef, type Instant, type RepositoryRef } from '@vitrine/core';
import {
  hiddenRepositoryId,
  hiddenRepositoryOf,
  hiddenRepositorySync,
  type HiddenAnswers,
  type HiddenReason,
  type HiddenRepository,
} from '../approvals/hidden-repository.js';
import type { RunReport, Source, SourceContext } from '../source.js';
import type { Registration } from '../sync-records.js';
import { forgetRepository } from './forget-repository.js';
import type { ForgeState } from './forge-state.js';

/** The records of a hidden repository are kept for this long, because it may have been a mistake. */
const KEPT_MS = DAY;
/** The forge must have said so in as many hours, because a clock that jumps ahead makes a day of a minute. */
const LEAST_ANSWERS = 12;

const REASONS: Readonly<Record<HiddenReason, string>> = {
  private: 'its forge says that the repository is not public',
  gone: 'its forge has no such repository, or does not show it to the public',
  'other-id': 'its forge says that another repository has this name, or that the repository was renamed',
};

const REMEDIES: Readonly<Record<HiddenReason, string>> = {
  private: 'Make it public, or remove it from approved',
  gone: 'Correct the name, make the repository public, or remove it from approved',
  'other-id': 'Write the new name, or the id of the repository in approved, or remove it from approved',
};

type HidingSource = Pick<Source, 'id' | 'intervalMs'> & { readonly registration: Registration };

interface HidingRun {
  readonly context: SourceContext;
  readonly at: Instant;
  readonly state: ForgeState;
  /** What was hidden before the run. */
  readonly hidden: HiddenRepository | null;
  readonly complete: (state: ForgeState) => Promise<void>;
}

/** Hides the repository of a forge source in every process, and removes its records when the forge has said the same for a day. */
export class Hiding {
  readonly #source: HidingSource;
  readonly #ref: RepositoryRef;

  constructor(source: HidingSource, ref: RepositoryRef) {
    [this.#source, this.#ref] = [source, ref];
  }

  /** What is hidden now; `null`: nothing. */
  async current({ collection, signal }: SourceContext): Promise<HiddenRepository | null> {
    const sync = await collection.sync(hiddenRepositoryId(this.#name), { signal });
    return sync === null ? null : hiddenRepositoryOf(sync);
  }

  /** Hides the repository, or keeps it hidden. */
  async hide(reason: HiddenReason, { context, at, state, hidden, complete }: HidingRun): Promise<RunReport> {
    const { since, answers } = toldSo(hidden?.reason === reason ? hidden : null, at);
    // First, because the next steps may take a while.
    await context.writer.put([hiddenRepositorySync(this.#name, { since, reason, answers, at, intervalMs: this.#source.intervalMs })], context);
    const isRemoved = state.removedFor === since;
    const delay = isRemoved ? null : delayOf(since, at, answers.count);
    const warnings = [this.#warning(reason, since, delay ?? 'its records were removed')];
    if (isRemoved || delay !== null) {
      await complete({ ...state, repository: null, lists: withoutValidators(state.lists) });
      return { stored: 0, unchanged: 0, removed: 0, warnings };
    }
    const removed = await forgetRepository(this.#ref, this.#source.registration.id, context);
    await complete({ ...state, repository: null, lists: {}, isUnknown: false, removedFor: since });
    return { stored: 0, unchanged: 0, removed, warnings };
  }

  /** Shows the repository again. */
  async end({ writer, signal }: SourceContext): Promise<void> {
    await writer.remove([{ kind: 'sync', id: hiddenRepositoryId(this.#name) }], { signal });
  }

  #warning(reason: HiddenReason, since: Instant, fate: string): string {
    return `${this.#source.id}: HIDDEN since ${formatInstant(since)}, because ${REASONS[reason]}; ${fate}. ${REMEDIES[reason]}.`;
  }

  get #name(): string {
    return nameOfRef(this.#ref);
  }
}

/** Since when, and how often the forge has said so. @param before the hidden repository, if the forge said the same before */
function toldSo(before: HiddenRepository | null, at: Instant) {
  return { since: Math.min(before?.since ?? at, at), answers: counted(before?.answers, at) };
}

/** One answer more, if an hour has passed since the last that counts, or the clock was set back. Not above what is needed, so that the record stays as it is. */
function counted(before: HiddenAnswers, at: Instant): NonNullable<HiddenAnswers> {
  if (before === undefined) return { count: 1, at };
  if (before.count >= LEAST_ANSWERS || Math.abs(at - before.at) < HOUR) return before;
  return { count: before.count + 1, at };
}

/** What the removal of records waits for; `null`: nothing. */
function delayOf(since: Instant, at: Instant, answers: number): string | null {
  if (at - since < KEPT_MS) return `its records are removed after ${formatInstant(since + KEPT_MS)}`;
  return answers < LEAST_ANSWERS ? `its records are removed when its forge has said so in ${LEAST_ANSWERS - answers} more hours` : null;
}

/** When the repository is public again, everything is read. */
function withoutValidators(lists: ForgeState['lists']): ForgeState['lists'] {
  const plain = Object.entries(lists).map(
    ([kind, { pages, left }]) => [kind, { pages: pages.map((page) => ({ ...page, etag: null, lastModified: null })), left }] as const,
  );
  return Object.fromEntries(plain);
}
