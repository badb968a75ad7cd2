import { UnavailableError } from '@vitrine/core';
import type { Exchange } from './exchange.js';

/** Milliseconds that a request may take, whatever its sources do. */
export const REQUEST_BUDGET_MS = 1_500;

/** Runs a call with a signal that aborts when the budget is over or the client has gone. Over budget the call's own end is not waited for. */
export function withinBudget<Result>(exchange: Exchange, budgetMs: number, call: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      const reason = new UnavailableError();
      controller.abort(reason);
      reject(reason);
    };
    const timer = setTimeout(abort, budgetMs);
    const settle = (): void => {
      clearTimeout(timer);
      exchange.response.off('close', abort);
    };
    exchange.response.once('close', abort);
    call(controller.signal).then(resolve, reject).finally(settle);
  });
}
