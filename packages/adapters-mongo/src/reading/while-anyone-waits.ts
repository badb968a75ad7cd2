import { relayedSignal } from './relayed-signal.js';

/** Runs a call for several waiting callers. Its signal aborts when the signals of all callers have aborted. */
export async function whileAnyoneWaits<Result>(signals: readonly AbortSignal[], run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const [only, ...others] = new Set(signals);
  if (only !== undefined && others.length === 0) return run(only);
  const controller = new AbortController();
  const leave = (): void => {
    if (signals.every((signal) => signal.aborted)) controller.abort(only?.reason);
  };
  const relays = signals.map(relayedSignal);
  for (const relay of relays) relay.addEventListener('abort', leave);
  leave();
  try {
    return await run(controller.signal);
  } finally {
    for (const relay of relays) relay.removeEventListener('abort', leave);
  }
}
