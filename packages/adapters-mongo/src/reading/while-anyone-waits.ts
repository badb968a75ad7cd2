import { relayedSignal } from './relayed-signal.js';

/** Runs what several ask for together, under a signal that aborts once the last of theirs has. */
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
