import type { ReadContext } from '../../ports/readers.js';
import { assert, messageOf } from '../contract.js';

/** Calls one method of a port with the arguments of a test. */
export type Call = (context: ReadContext) => Promise<unknown>;

/** How a call ended, or that it has not ended. */
type Outcome = { readonly is: 'answered' | 'answered at once' } | { readonly is: 'rejected'; readonly error: unknown } | { readonly is: 'waiting' };

/** A call that ignores its signal ends before all its neighbours about once in eight tries. So it does not win most of the tries. */
const NEIGHBOURS = 7;
const TRIES = 9;
/** Microtasks: more than any answer from memory needs. No call that waits for a database, a file or a timer ends within them. */
const MANY_TURNS = 500;
/** Microtasks that a rejection may still need after a neighbour has been answered. */
const FEW_TURNS = 20;

/**
 * Checks that a call obeys its signal. If the signal has aborted before the call, the call rejects. If the signal aborts right after the start, the
 * call rejects without waiting for the database: in most tries before equal calls that started earlier and were not aborted. A store that answers
 * from memory may answer instead. The call must reject with the signal's reason or an `UnavailableError`.
 */
export async function assertEndsOnAbort(what: string, call: Call): Promise<void> {
  // Opens connections and warms caches, so that the neighbours and the call do the same work.
  await Promise.all(Array.from({ length: NEIGHBOURS + 1 }, () => call({ signal: new AbortController().signal })));
  await rejectsMostly(`${what}, called with a signal that has aborted`, call, (controller, reason) => {
    controller.abort(reason);
    return outcomeOf(call, controller.signal);
  });
  await rejectsMostly(`${what}, whose signal aborts while it runs`, call, async (controller, reason) => {
    const ended = outcomeOf(call, controller.signal);
    controller.abort(reason);
    const atOnce = await Promise.race([ended, waitingAfter(MANY_TURNS)]);
    return atOnce.is === 'answered' ? { is: 'answered at once' } : ended;
  });
}

type Start = (controller: AbortController, reason: Error) => Promise<Outcome>;

/** Aborts calls among their neighbours until most tries are lost or won. */
async function rejectsMostly(what: string, call: Call, start: Start): Promise<void> {
  const wanted = `${what}: expected it to reject at once`;
  const most = Math.ceil(TRIES / 2);
  for (let [won, lost] = [0, 0]; won < most && lost < most;) {
    const controller = new AbortController();
    const reason = new Error('The test ended this call.');
    const { first, outcome } = await amongNeighbours(call, () => start(controller, reason));
    if (outcome.is === 'answered at once') return;
    assertRejected(wanted, outcome, reason);
    if (first.is === 'waiting') lost++;
    else won++;
    assert(lost < most, `${wanted}, found that it mostly waits as long as a call that nobody ended`);
  }
}

/** How a call ended, and whether it ended before all calls that started earlier and were not aborted. */
async function amongNeighbours(call: Call, start: () => Promise<Outcome>): Promise<{ readonly first: Outcome; readonly outcome: Outcome }> {
  const neighbours = Array.from({ length: NEIGHBOURS }, () => outcomeOf(call, new AbortController().signal));
  const ended = start();
  const first = await Promise.race([ended, Promise.race(neighbours).then(() => waitingAfter(FEW_TURNS))]);
  const [outcome] = await Promise.all([ended, ...neighbours]);
  return { first, outcome };
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

function assertRejected(wanted: string, outcome: Outcome, reason: Error): void {
  assert(outcome.is === 'rejected', `${wanted}, found that it answered`);
  if (outcome.is !== 'rejected') return;
  const { error } = outcome;
  const isUnavailable = error instanceof Error && error.name === 'UnavailableError';
  assert(error === reason || isUnavailable, `${wanted} with the signal's reason or an UnavailableError, found "${messageOf(error)}"`);
}
