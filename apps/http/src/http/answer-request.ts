import type { Express } from 'express';
import type { Exchange } from './exchange.js';
import { earlyRefusal } from './refusals.js';

/** Passes a request to the Express app, unless it breaks a rule that holds for every route. Expects the target in origin form. */
export function answerRequest(app: Express, exchange: Exchange): void {
  const early = earlyRefusal(exchange.request);
  if (early !== null) exchange.refuse(early.refusal, early.close);
  else app(exchange.request, exchange.response);
}
