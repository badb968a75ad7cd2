import { type ApprovedRepositories, type Clock, DAY, MINUTE, NotFoundError, SECOND, UnavailableError } from '@vitrine/core';
import { type Admission, Computations, type Computing } from './computations.js';
import { type Address, AnswerCache, type KeptAnswer, type MadeAnswer, type Topics } from './cache.js';
import { type ProblemCode, refusalOf, statusOf } from './errors.js';
import type { Connection } from './connections.js';
import { Exchange, type ExchangeContext } from './exchange.js';
import type { FinishedAnswer } from './finished-answer.js';
import { type AnswerForm, expiryOf, finishedAnswer, isReadable, type Outcome, type PurgeHeader, type Question, uncachedAnswer } from './envelope.js';
import { LRUCache } from 'lru-cache';
import type http from 'node:http';
import { earlyRefusal } from './refusals.js';

const MAX_STALE_MS = 15 * MINUTE;
const MAX_VITAL_STALE_MS = DAY;
/** While the store is lost, the same answers are sent again and again. To write one takes far longer than to send it, so these are kept until the next second. */
const WRITTEN = { maxSize: 16 * 1_024 * 1_024, sizeCalculation: ({ answer }: Written) => answer.bytes };

interface Written {
  readonly answer: FinishedAnswer;
  readonly second: number;
}

/** A request that its route has read and validated. */
export interface Asked {
  readonly question: Question;
  readonly permission: Permission;
  readonly form: AnswerForm;
  readonly budgetMs: number;
  /** @param haveRead ends the budget, which is for the store: what was read is not thrown away */
  readonly compute: (signal: AbortSignal, haveRead: () => void) => Promise<Outcome>;
}

export interface AnswersOptions {
  readonly clock: Clock;
  readonly approved: ApprovedSource;
  readonly admission: Admission;
  /** The header that names the repositories of an answer to caches; by default none. */
  readonly purgeHeader?: PurgeHeader | null | undefined;
  /** Whether answers are sent again before they expire; default true. They are kept for outages in any case. */
  readonly reuses?: boolean | undefined;
}

export interface RequestsParts extends ExchangeContext {
  readonly router: http.RequestListener;
  readonly answers: Answers;
  /** Hears of each answered request, and of bytes that are no request. */
  readonly log: { readonly answered: (exchange: Exchange) => void; readonly malformed: (code: ProblemCode) => void };
}

/** The way of every request: Vitrine's own server and the servers of others hand theirs over here. */
export class Requests {
  constructor(readonly parts: RequestsParts) {}

  /** A request is refused, answered from the cache, or passed to its route. @param target in origin form */
  begin(request: http.IncomingMessage, response: http.ServerResponse, target: string, connection?: Connection): void {
    const { router, answers, log } = this.parts;
    request.url = target;
    const exchange = new Exchange(request, response, this.parts, connection);
    response.on('close', () => log.answered(exchange));
    const early = earlyRefusal(request);
    if (early !== null) exchange.refuse(early.refusal, early.close);
    else if (!answers.sendKnown(exchange)) {
      exchange.enterRouter();
      // The router chooses the route, and the route reads the request and calls `Answers.answer`.
      router(request, response);
    }
  }
}

/** Answers the requests of all routes whose answers are kept: from the cache, from a computation that is running for the same request, or from a new one. */
export class Answers {
  readonly #cache: AnswerCache;
  readonly #computations = new Computations<Topics, MadeAnswer & { readonly isUnavailable: boolean }>();
  readonly #lastGood = new LRUCache<KeptAnswer, Written>(WRITTEN);

  constructor(private readonly options: AnswersOptions) {
    this.#cache = new AnswerCache(options.clock, options.reuses);
  }

  get count(): number {
    return this.#cache.count;
  }

  /** Answers a request that was spelt like this before, if its answer has not expired. Returns whether it did. */
  sendKnown(exchange: Exchange): boolean {
    const { method } = exchange.request;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const address = this.#cache.addressOf(exchange.spelling);
    const kept = address === null ? null : this.#permitted(address);
    if (address === null || kept === null) return false;
    exchange.route = address.route;
    this.#send(exchange, kept.answer, kept);
    return true;
  }

  /**
   * Answers a request that its route has read. Rethrows errors of the computation unless there is a last good answer, and refusals of the rate limit.
   */
  async answer(exchange: Exchange, asked: Asked): Promise<void> {
    const { address } = asked.question;
    const revision = revisionOf(asked.permission);
    // 1. It was asked before, in another spelling.
    const kept = this.#cache.current(address, revision);
    if (kept !== null) {
      this.#cache.spelt(exchange.spelling, address);
      this.#send(exchange, kept.answer, kept);
      return;
    }
    // 2. The limits of the client.
    exchange.requireWithinLimits(asked.form.route.isSearch);
    await this.#computed(exchange, asked, revision);
  }

  /** 3. The answer is computed within its budget, together with other requests for the same. */
  async #computed(exchange: Exchange, asked: Asked, revision: string | null): Promise<void> {
    const { address, topics } = asked.question;
    try {
      const work = { key: `${String(revision)}\n${address.target}`, facts: topics, budgetMs: asked.budgetMs };
      const made = await this.#computations.join(exchange, { ...work, compute: (call) => this.#make(asked, call) });
      // 5. It is sent, unless there is a better one of an earlier time.
      if (made.isUnavailable && this.#sendsLastGood(exchange, asked)) return;
      this.#cache.spelt(exchange.spelling, address);
      exchange.sendFinished(made.answer);
    } catch (error) {
      if (error instanceof NotFoundError) this.#cache.forget(address, revision);
      if (!isFailure(error) || !this.#sendsLastGood(exchange, asked)) throw error;
      exchange.failure = error instanceof UnavailableError ? undefined : error;
    }
  }

  outdate(isConcerned: (topics: Topics) => boolean): void {
    this.#cache.outdate(isConcerned);
    this.#computations.outdate(isConcerned);
  }

  /** 4. The view computes the answer, when the store has room for it. The answer is kept if it may be sent again. */
  async #make({ question, permission, form, compute }: Asked, { signal, isOutdated, haveRead }: Computing) {
    const madeAt = this.options.clock.now();
    const outcome = await this.options.admission.run(form.route.isVital, signal, (giveBack) =>
      compute(signal, () => {
        haveRead();
        giveBack();
      }),
    );
    const { nextCursor, generatedAt, again, dataStatus, isKept = true } = outcome;
    const answer = finishedAnswer(form, outcome, question, this.options.purgeHeader ?? null);
    const made = { answer, madeAt, expiresAt: expiryOf(form, outcome, madeAt), topics: question.topics, nextCursor, generatedAt, again };
    const revision = revisionOf(permission);
    if (isKept && isReadable(outcome) && revision === this.#revision()) this.#cache.keep(question.address, revision, made, isOutdated());
    return { ...made, isUnavailable: dataStatus === 'unavailable' };
  }

  /** Sends the last good answer. Returns whether there is one. */
  #sendsLastGood(exchange: Exchange, { question, form }: Asked): boolean {
    const maxAgeMs = form.route.isVital ? MAX_VITAL_STALE_MS : MAX_STALE_MS;
    // Under the present allowlist: repositories that have left it since the request began are not shown.
    const kept = this.#cache.lastGood(question.address, this.#revision(), maxAgeMs);
    if (kept === null) return false;
    const now = this.options.clock.now();
    const second = Math.floor(now / SECOND);
    let written = this.#lastGood.get(kept);
    if (written?.second !== second) {
      written = { second, answer: uncachedAnswer(form.writeLastGood(kept, question, now)) };
      this.#lastGood.set(kept, written);
    }
    this.#send(exchange, written.answer, kept);
    return true;
  }

  /** The answer to an address, if it may be sent under the permission of this moment. */
  #permitted(address: Address): KeptAnswer | null {
    try {
      return this.#cache.current(address, this.#revision());
    } catch {
      // The permission comes from the embedding application, and may throw anything. The router calls it again, logs the error and answers.
      return null;
    }
  }

  #send(exchange: Exchange, answer: FinishedAnswer, { madeAt }: KeptAnswer): void {
    exchange.sendFinished(answer, Math.max(0, Math.floor((this.options.clock.now() - madeAt) / SECOND)));
  }

  #revision(): string | null {
    return revisionOf(permissionOf(this.options.approved));
  }
}

/** Whether the server is at fault, not the request. */
function isFailure(error: unknown): boolean {
  return statusOf(refusalOf(error).code) >= 500;
}

export type Permission = ApprovedRepositories | UnavailableError;

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

/** Gives each request its permission. A request calls it once. */
export interface ApprovedSource {
  /** Throws an `UnavailableError` if the allowlist could not be read for too long. */
  current(): ApprovedRepositories;
}

export function fixedApproval(approved: ApprovedRepositories): ApprovedSource {
  return { current: () => approved };
}

export class RememberedApproval implements ApprovedSource {
  #last: ApprovedRepositories | null = null;

  constructor(private readonly source: ApprovedSource) {}

  current(): ApprovedRepositories {
    this.#last = this.source.current();
    return this.#last;
  }

  /** The permission of this moment, or the last one while it cannot be read. `null` if it could never be read. */
  currentOrLast(): ApprovedRepositories | null {
    try {
      return this.current();
    } catch {
      // Requests report the error.
      return this.#last;
    }
  }
}
