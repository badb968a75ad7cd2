import type { ServerResponse } from 'node:http';
import { UnavailableError } from '@vitrine/core';
import { TimedOutError } from './timed-out-error.js';

/** Milliseconds that a request may take, even if its sources are slow. */
export const REQUEST_BUDGET_MS = 1_500;

/** The response that closes when the client leaves. */
interface Client {
  readonly response: Pick<ServerResponse, 'once' | 'off'>;
}

/** Runs a call with a signal that aborts when the time is over or the client has disconnected. It then rejects without waiting for the call. */
export function withinBudget<Result>(client: Client, budgetMs: number, call: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
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
      client.response.off('close', leave);
    };
    client.response.once('close', leave);
    const result = call(controller.signal);
    // Not by `finally`, which makes four promises of its own.
    result.then(settle, settle);
    result.then(resolve, reject);
  });
}
