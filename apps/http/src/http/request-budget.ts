import { UnavailableError } from '@vitrine/core';
import type { Exchange } from './exchange.js';
import { TimedOutError } from './timed-out-error.js';

/** Milliseconds that a request may take, whatever its sources do. */
export const REQUEST_BUDGET_MS = 1_500;

/** Runs a call with a signal that aborts when the budget is over or the client has gone. The call's own end is then not waited for. */
export function withinBudget<Result>(exchange: Exchange, budgetMs: number, call: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  return new Promise((resolve, reject) => {
    const abort = (reason: UnavailableError): void => {
      controller.abort(reason);
      reject(reason);
    };
    const leave = (): void => {
      abort(new UnavailableError());
    };
    const timer = setTimeout(() => {
      abort(new TimedOutError());
    }, budgetMs);
    const settle = (): void => {
      clearTimeout(timer);
      exchange.response.off('close', leave);
    };
    exchange.response.once('close', leave);
    const result = call(controller.signal);
    // `finally` would create four more promises.
    result.then(settle, settle);
    result.then(resolve, reject);
  });
}
