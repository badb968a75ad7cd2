import { DAY, MINUTE, NotFoundError, SECOND, UnavailableError, type ApprovedRepositories, type Clock } from '@vitrine/core';
import { AnswerCache, type Address, type KeptAnswer } from '../serving/cache.js';
import type { FinishedAnswer } from '../serving/finished-answer.js';
import type { ApprovedSource } from '../serving/approved-source.js';
import { refusalOf, STATUS_OF } from '../serving/errors.js';
import type { Exchange } from '../serving/exchange.js';
import { Computations } from '../serving/computations.js';
import { expiryOf, isReadable, type AnswerForm, type Outcome } from './answer-form.js';
import type { Question, Topics } from './question.js';
import { StaleAnswers } from './stale-answers.js';

/** How old a last good answer may be. */
const MAX_STALE_MS = 15 * MINUTE;
const MAX_VITAL_STALE_MS = DAY;

/** Data that can be judged again are kept as objects. They take more memory than their JSON text, about this factor. */
const OBJECTS_WEIGHT = 4;

/** The permission of a request, or why there is none. */
export type Permission = ApprovedRepositories | UnavailableError;

/** A question, and how its answer is made. */
export interface Making {
  readonly question: Question;
  readonly permission: Permission;
  readonly form: AnswerForm;
  readonly budgetMs: number;
  readonly compute: (signal: AbortSignal) => Promise<Outcome>;
}

/** The facts that are kept with an answer. */
interface Facts extends Pick<Outcome, 'nextCursor' | 'generatedAt' | 'again'> {
  readonly topics: Topics;
}

interface Made {
  readonly answer: FinishedAnswer;
  readonly isUnavailable: boolean;
}

export interface AnswersOptions {
  readonly clock: Clock;
  readonly approved: ApprovedSource;
  /** Whether answers are sent again before they expire; default true. They are kept for outages in any case. */
  readonly reuses?: boolean | undefined;
}

/** Answers the requests of the API: from the cache, from a computation that is running for the same request, or from a new computation. */
export class Answers {
  readonly #cache: AnswerCache<Facts>;
  readonly #stale = new StaleAnswers<Facts>();
  readonly #computations = new Computations<Topics, Made>();
  readonly #clock: Clock;
  readonly #approved: ApprovedSource;

  constructor({ clock, approved, reuses = true }: AnswersOptions) {
    this.#cache = new AnswerCache(clock, reuses);
    this.#clock = clock;
    this.#approved = approved;
  }

  /** Memory of all kept answers, in bytes. */
  get bytes(): number {
    return this.#cache.bytes;
  }

  get count(): number {
    return this.#cache.count;
  }

  /** Answers a request that was spelt like this before, if its answer has not expired. Returns whether it did. */
  answerKnown(exchange: Exchange): boolean {
    const { method } = exchange.request;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const address = this.#cache.addressOf(exchange.spelling);
    const kept = address === null ? null : this.#permitted(address);
    if (address === null || kept === null) return false;
    exchange.route = address.route;
    this.#send(exchange, kept.answer, kept);
    return true;
  }

  #permitted(address: Address): KeptAnswer<Facts> | null {
    try {
      return this.#cache.current(address, this.#revision());
    } catch {
      // The permission comes from the embedding application, and may throw anything. The router calls it again, logs the error and answers.
      return null;
    }
  }

  /** Rethrows errors of the computation unless there is a last good answer, and refusals of the rate limit. */
  async answer(exchange: Exchange, making: Making): Promise<void> {
    const { address } = making.question;
    const kept = this.#cache.current(address, revisionOf(making.permission));
    if (kept !== null) {
      this.#cache.spelt(exchange.spelling, address);
      this.#send(exchange, kept.answer, kept);
      return;
    }
    exchange.requireWithinLimits(making.form.route.isSearch);
    await this.#computed(exchange, making);
  }

  async #computed(exchange: Exchange, making: Making): Promise<void> {
    const { address, topics } = making.question;
    const revision = revisionOf(making.permission);
    try {
      const { answer, isUnavailable } = await this.#computations.join(exchange, {
        key: `${revision ?? ''}\n${address.target}`,
        facts: topics,
        budgetMs: making.budgetMs,
        compute: (signal, isOutdated) => this.#make(making, exchange.spelling, signal, isOutdated),
      });
      if (!isUnavailable || !this.#sendsLastGood(exchange, making)) exchange.sendFinished(answer);
    } catch (error) {
      if (error instanceof NotFoundError) this.#cache.forget(address, revision);
      if (!this.#recovers(error, exchange, making)) throw error;
    }
  }

  /** Whether a last good answer was sent after a failure. */
  #recovers(error: unknown, exchange: Exchange, making: Making): boolean {
    if (!isFailure(error) || !this.#sendsLastGood(exchange, making)) return false;
    if (!(error instanceof UnavailableError)) exchange.failure = error;
    return true;
  }

  /** Ends the answers that depend on something that was written. */
  outdate(isConcerned: (topics: Topics) => boolean): void {
    this.#cache.outdate(({ topics }) => isConcerned(topics));
    this.#computations.outdate(isConcerned);
  }

  async #make({ question, permission, form, compute }: Making, spelling: string, signal: AbortSignal, isOutdated: () => boolean): Promise<Made> {
    const madeAt = this.#clock.now();
    const outcome = await compute(signal);
    const answer = form.finished(question, outcome);
    const revision = revisionOf(permission);
    if (isReadable(outcome) && !isOutdated() && revision === this.#revision()) {
      const { nextCursor, generatedAt, again } = outcome;
      this.#cache.keep(question.address, revision, spelling, {
        answer,
        madeAt,
        expiresAt: expiryOf(form, outcome, madeAt),
        extraBytes: again === undefined ? 0 : OBJECTS_WEIGHT * answer.body.length,
        facts: { nextCursor, generatedAt, topics: question.topics, ...(again !== undefined && { again }) },
      });
    }
    return { answer, isUnavailable: outcome.dataStatus === 'unavailable' };
  }

  /** Whether there was a last good answer to send. */
  #sendsLastGood(exchange: Exchange, { question, form }: Making): boolean {
    const maxAgeMs = form.route.isVital ? MAX_VITAL_STALE_MS : MAX_STALE_MS;
    // Under the present allowlist: repositories that have left it since the request began are not shown.
    const kept = this.#cache.lastGood(question.address, this.#revision(), maxAgeMs);
    if (kept === null) return false;
    const { nextCursor, generatedAt, again } = kept.facts;
    const now = this.#clock.now();
    const stale = this.#stale.of(kept, now, () => {
      const lastGood = { body: kept.answer.body, madeAt: generatedAt ?? kept.madeAt, nextCursor, generatedAt, ...(again !== undefined && { again }) };
      return form.lastGood(question, lastGood, now);
    });
    this.#send(exchange, stale, kept);
    return true;
  }

  #send(exchange: Exchange, answer: FinishedAnswer, { madeAt }: KeptAnswer<Facts>): void {
    exchange.sendFinished(answer, Math.max(0, Math.floor((this.#clock.now() - madeAt) / SECOND)));
  }

  #revision(): string | null {
    return revisionOf(permissionOf(this.#approved));
  }
}

export function permissionOf(approved: ApprovedSource): Permission {
  try {
    return approved.current();
  } catch (error) {
    if (error instanceof UnavailableError) return error;
    throw error;
  }
}

function revisionOf(permission: Permission): string | null {
  return permission instanceof UnavailableError ? null : permission.revision;
}

/** Whether the server is at fault, not the request. */
function isFailure(error: unknown): boolean {
  return STATUS_OF[refusalOf(error).code] >= 500;
}
