import { DAY, MINUTE, NotFoundError, SECOND, UnavailableError, type Clock } from '@vitrine/core';
import type { Express } from 'express';
import { Computations, type Admission, type Computing } from './computations.js';
import { AnswerCache, type Address, type KeptAnswer, type MadeAnswer, type Topics } from './cache.js';
import { permissionOf, revisionOf, type ApprovedSource, type Permission } from './permission.js';
import { Refusal, refusalOf, statusOf } from './errors.js';
import type { Exchange } from './exchange.js';
import type { FinishedAnswer } from './finished-answer.js';
import { expiryOf, isReadable, type AnswerForm, type Outcome, type Question } from './envelope.js';
import type { IncomingMessage } from 'node:http';
import { methodNotAllowed } from './refusals.js';

/** How old a last good answer may be. */
const MAX_STALE_MS = 15 * MINUTE;
const MAX_VITAL_STALE_MS = DAY;

/** A request that its route has read and validated. */
export interface Asked {
  readonly question: Question;
  readonly permission: Permission;
  readonly form: AnswerForm;
  /** Milliseconds for its answer. */
  readonly budgetMs: number;
  /** @param haveRead ends the budget, which is for the store: what was read is not thrown away */
  readonly compute: (signal: AbortSignal, haveRead: () => void) => Promise<Outcome>;
}

export interface AnswersOptions {
  readonly clock: Clock;
  readonly approved: ApprovedSource;
  readonly admission: Admission;
  /** Whether answers are sent again before they expire; default true. They are kept for outages in any case. */
  readonly reuses?: boolean | undefined;
}

/** Begins the way of a request: it is refused, answered from the cache, or passed to its route. Expects the target in origin form. */
export function beginRequest(app: Express, answers: Answers, exchange: Exchange): void {
  const early = earlyRefusal(exchange.request);
  if (early !== null) exchange.refuse(early.refusal, early.close);
  else if (!answers.sendKnown(exchange)) {
    exchange.enterRouter();
    // The router chooses the route, and the route reads the request and calls `Answers.answer`.
    app(exchange.request, exchange.response);
  }
}

/** Answers the requests of all routes whose answers are kept: from the cache, from a computation that is running for the same request, or from a new one. */
export class Answers {
  readonly #cache: AnswerCache;
  readonly #computations = new Computations<Topics, MadeAnswer & { readonly isUnavailable: boolean }>();
  readonly #clock: Clock;
  readonly #approved: ApprovedSource;
  readonly #admission: Admission;

  constructor({ clock, approved, admission, reuses = true }: AnswersOptions) {
    this.#cache = new AnswerCache(clock, reuses);
    this.#clock = clock;
    this.#approved = approved;
    this.#admission = admission;
  }

  /** How many answers are kept. */
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

  /** Ends the answers that depend on something that was written. */
  outdate(isConcerned: (topics: Topics) => boolean): void {
    this.#cache.outdate(isConcerned);
    this.#computations.outdate(isConcerned);
  }

  /** 4. The view computes the answer, when the store has room for it. The answer is kept if it may be sent again. */
  async #make({ question, permission, form, compute }: Asked, { signal, isOutdated, haveRead }: Computing) {
    const madeAt = this.#clock.now();
    const outcome = await this.#admission.run(form.route.isVital, signal, () => compute(signal, haveRead));
    const { nextCursor, generatedAt, again, dataStatus, isKept = true } = outcome;
    const answer = form.finished(question, outcome);
    const made = { answer, madeAt, expiresAt: expiryOf(form, outcome, madeAt), topics: question.topics, nextCursor, generatedAt, again };
    const revision = revisionOf(permission);
    if (isKept && isReadable(outcome) && revision === this.#revision()) this.#cache.keep(question.address, revision, made, isOutdated());
    return { ...made, isUnavailable: dataStatus === 'unavailable' };
  }

  /** Sends the last good answer. Returns whether there is one. */
  #sendsLastGood(exchange: Exchange, { question, form }: Asked): boolean {
    const maxAgeMs = form.route.isVital ? MAX_VITAL_STALE_MS : MAX_STALE_MS;
    // Under the present allowlist: repositories that have left it since the request began are not shown.
    const revision = this.#revision();
    const kept = this.#cache.lastGood(question.address, revision, maxAgeMs);
    if (kept === null) return false;
    const stale = this.#cache.lastGoodForm(question.address, revision, kept, (now) =>
      form.lastGood(question, { ...kept, body: kept.answer.body, madeAt: kept.generatedAt ?? kept.madeAt }, now),
    );
    this.#send(exchange, stale, kept);
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
    exchange.sendFinished(answer, Math.max(0, Math.floor((this.#clock.now() - madeAt) / SECOND)));
  }

  #revision(): string | null {
    return revisionOf(permissionOf(this.#approved));
  }
}

/** Whether the server is at fault, not the request. */
function isFailure(error: unknown): boolean {
  return statusOf(refusalOf(error).code) >= 500;
}

const MAX_TARGET_LENGTH = 2_048;

const AUTHORITY = /^https?:\/\/[^/?#]*/i;
/** The characters that a target may have. All others must be percent-encoded, and clients never send a `#`. */
const TARGET = /^[!"$-~]*$/;
const READS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Why a message is rejected before a route is chosen, and whether its connection must end. */
interface EarlyRefusal {
  readonly refusal: Refusal;
  readonly close: boolean;
}

/** Removes the authority of an absolute-form target, because the server answers for every host name in the same way. */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(AUTHORITY, '');
  return rest.startsWith('/') || rest === '*' ? copied(rest) : `/${rest}`;
}

/** A part of a text keeps all of it in memory, and addresses of answers are remembered. */
function copied(part: string): string {
  return Buffer.from(part, 'latin1').toString('latin1');
}

/** The reason to reject a message that no route would accept; `null` if there is none. Expects the target in origin form. */
function earlyRefusal(request: IncomingMessage): EarlyRefusal | null {
  const target = request.url ?? '/';
  if (target.length > MAX_TARGET_LENGTH)
    return early('URI_TOO_LONG', `The address may be at most ${String(MAX_TARGET_LENGTH)} characters long.`, true);
  if (!namesOneHost(request)) return early('BAD_REQUEST', 'A request names exactly one host.', true);
  const body = bodyRefusal(request);
  if (body !== null) return body;
  if (!TARGET.test(target)) return early('BAD_REQUEST', 'The address holds characters that must be percent-encoded.', false);
  return isDecodable(target) ? null : early('BAD_REQUEST', 'The path is not valid percent-encoded UTF-8.', false);
}

/** A body with a method such as POST is reported as a wrong method. An encoded body is rejected for every method, because it may contain a smuggled request. */
function bodyRefusal(request: IncomingMessage): EarlyRefusal | null {
  const length = request.headers['content-length'];
  const isCoded = request.headers['transfer-encoding'] !== undefined;
  if (!isCoded && (length === undefined || Number(length) === 0)) return null;
  if (isCoded || READS.has(request.method)) return early('BODY_NOT_ALLOWED', 'Requests carry no body and no Transfer-Encoding.', true);
  return { refusal: methodNotAllowed(), close: true };
}

function early(code: 'URI_TOO_LONG' | 'BAD_REQUEST' | 'BODY_NOT_ALLOWED', detail: string, close: boolean): EarlyRefusal {
  return { refusal: new Refusal(code, detail), close };
}

/** Whether there is exactly one `Host` header. HTTP/1.0 requires none. */
function namesOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') count++;
  return count === 1 || (count === 0 && httpVersion === '1.0');
}

function isDecodable(target: string): boolean {
  if (!target.includes('%')) return true;
  const mark = target.indexOf('?');
  try {
    decodeURIComponent(mark < 0 ? target : target.slice(0, mark));
    return true;
  } catch {
    return false;
  }
}
