import { DAY, formatInstant, MINUTE, SECOND, type Clock, type Instant, type Warning } from '@vitrine/core';
import type { PathValues } from '../http/endpoint.js';
import { envelopeText, withMeta, type Reply } from '../http/envelope.js';
import type { LastGoodCopies } from '../resilience/last-good-copies.js';
import { PageQuery, type Query } from '../requests/query.js';
import type { ApiRoute } from '../routes/route.js';

const MAX_AGE_MS = 15 * MINUTE;
const MAX_VITAL_AGE_MS = DAY;

/** What a request asks for, however it is spelt. */
export interface Question {
  readonly route: ApiRoute;
  readonly query: Query;
  readonly params: PathValues;
}

/** A reply, and where its data speak of the present moment: the same data as they are told at a later one. */
export interface KeepableReply extends Reply {
  readonly again?: (now: Instant) => unknown;
}

/** A copy as it is sent. */
export interface StaleReply {
  readonly body: string;
  readonly nextCursor: string | null;
  /** Whole seconds. */
  readonly age: number;
}

/** The last good answers to all questions, each under one revision of the allowlist (`null`: without a readable one), and what is said of them when they have to serve. */
export class LastGood {
  readonly #copies: LastGoodCopies;
  readonly #clock: Clock;

  constructor(copies: LastGoodCopies, clock: Clock) {
    this.#copies = copies;
    this.#clock = clock;
  }

  /** @param body the reply as it was sent */
  keep(question: Question, revision: string | null, { nextCursor, generatedAt, again }: KeepableReply, body: Buffer): void {
    const madeAt = generatedAt ?? this.#clock.now();
    this.#copies.keep(keyOf(question, revision), { madeAt, nextCursor, generatedAt, content: again ?? body }, body);
  }

  /** For what is not there any more. */
  forget(question: Question, revision: string | null): void {
    this.#copies.forget(keyOf(question, revision));
  }

  /** The last good answer, unless it is too old. */
  find(question: Question, revision: string | null): StaleReply | null {
    const now = this.#clock.now();
    const copy = this.#copies.find(keyOf(question, revision), now, question.route.isVital ? MAX_VITAL_AGE_MS : MAX_AGE_MS);
    if (copy === null) return null;
    const { madeAt, nextCursor, generatedAt, content } = copy;
    const meta = { dataStatus: 'stale', nextCursor, generatedAt, warnings: [lastGoodWarning(madeAt)] } as const;
    const body = Buffer.isBuffer(content) ? withMeta(content.toString(), meta) : envelopeText({ data: content(now), ...meta });
    return { body, nextCursor, age: Math.max(0, Math.floor((now - madeAt) / SECOND)) };
  }
}

function lastGoodWarning(madeAt: Instant): Warning {
  const detail = `The store cannot be read; this is the last good answer, of ${formatInstant(madeAt)}.`;
  return { code: 'SOURCE_UNAVAILABLE', source: 'store', detail };
}

function keyOf({ route, query, params }: Question, revision: string | null): string {
  const page = query instanceof PageQuery ? [query.pageSize(), query.cursor ?? null] : [];
  return JSON.stringify([revision, route.id, params, query.filters(), ...page]);
}
