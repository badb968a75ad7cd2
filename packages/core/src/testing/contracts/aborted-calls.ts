import type { ReadContext } from '../../ports/read-context.js';
import { assert, messageOf } from '../contract.js';

/** One method of a port, called with the arguments of a test. */
export type Call = (context: ReadContext) => Promise<unknown>;

/** How a call ended, or that it has not. */
type Outcome = { readonly is: 'answered' | 'answered at once' } | { readonly is: 'rejected'; readonly error: unknown } | { readonly is: 'waiting' };

/** A reader that wins the race against its neighbours by luck does not win it so often. */
const ROUNDS = 4;
const NEIGHBOURS = 3;
/** More than any answer from memory passes through; nothing that waits for a database, a file or a timer is done by then. */
const MANY_TURNS = 500;
/** As much as a rejection may pass through once a neighbour has its answer. */
const FEW_TURNS = 20;

/**
 * Holds a call to what a signal promises. A call whose signal has aborted already rejects. One whose signal aborts right after its start rejects
 * before the database can have answered it: sooner than the same calls that were started before it and go on. A store that answers from memory
 * may have answered by then. The rejection is the signal's reason or an `UnavailableError`.
 */
export async function assertEndsOnAbort(what: string, call: Call): Promise<void> {
  // Connections and caches are warm after it, so that neighbours and the call do the same work.
  await call({ signal: new AbortController().signal });
  await rejectsWhenAborted(what, call);
  for (let round = 0; round < ROUNDS; round++) await rejectsWhenAbortedLater(what, call);
}

async function rejectsWhenAborted(what: string, call: Call): Promise<void> {
  const controller = new AbortController();
  const reason = new Error('The test ended this call.');
  controller.abort(reason);
  const outcome = await amongNeighbours(call, () => outcomeOf(call, controller.signal));
  assertRejected(`${what}, called with a signal that has aborted`, outcome, reason);
}

async function rejectsWhenAbortedLater(what: string, call: Call): Promise<void> {
  const controller = new AbortController();
  const reason = new Error('The test ended this call.');
  const outcome = await amongNeighbours(call, async () => {
    const ended = outcomeOf(call, controller.signal);
    controller.abort(reason);
    const atOnce = await Promise.race([ended, waitingAfter(MANY_TURNS)]);
    return atOnce.is === 'answered' ? { is: 'answered at once' } : ended;
  });
  if (outcome.is !== 'answered at once') assertRejected(`${what}, whose signal aborts while it runs`, outcome, reason);
}

/** How a call ended, unless a call that started before it and goes on had its answer first. */
async function amongNeighbours(call: Call, start: () => Promise<Outcome>): Promise<Outcome> {
  const neighbours = Array.from({ length: NEIGHBOURS }, () => outcomeOf(call, new AbortController().signal));
  const tooLate = Promise.race(neighbours).then(() => waitingAfter(FEW_TURNS));
  const outcome = await Promise.race([start(), tooLate]);
  await Promise.all(neighbours);
  return outcome;
}

async function outcomeOf(call: Call, signal: AbortSignal): Promise<Outcome> {
  try {
    await call({ signal });
    return { is: 'answered' };
  } catch (error) {
    return { is: 'rejected', error };
  }
}

async function waitingAfter(turns: number): Promise<Outcome> {
  for (let turn = 0; turn < turns; turn++) await Promise.resolve();
  return { is: 'waiting' };
}

function assertRejected(what: string, outcome: Outcome, reason: Error): void {
  const wanted = `${what}: expected it to reject at once`;
  assert(outcome.is !== 'answered' && outcome.is !== 'answered at once', `${wanted}, found that it answered`);
  assert(outcome.is !== 'waiting', `${wanted}, found that it waits as long as a call that nobody ended`);
  if (outcome.is !== 'rejected') return;
  const { error } = outcome;
  const isUnavailable = error instanceof Error && error.name === 'UnavailableError';
  assert(error === reason || isUnavailable, `${wanted} with the signal's reason or an UnavailableError, found "${messageOf(error)}"`);
}
