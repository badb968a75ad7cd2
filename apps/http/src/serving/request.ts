import type { Express } from 'express';
import type { Exchange } from './exchange.js';
import { earlyRefusal } from './refusals.js';

/** Answers a request from the cache. */
export interface KnownAnswers {
  /** Returns whether it has answered. */
  answerKnown(exchange: Exchange): boolean;
}

/** Passes a request to the Express app, unless it breaks a rule that holds for every route or its answer is known. Expects the target in origin form. */
export function answerRequest(app: Express, known: KnownAnswers, exchange: Exchange): void {
  const early = earlyRefusal(exchange.request);
  if (early !== null) exchange.refuse(early.refusal, early.close);
  else if (!known.answerKnown(exchange)) {
    exchange.enterRouter();
    app(exchange.request, exchange.response);
  }
}
