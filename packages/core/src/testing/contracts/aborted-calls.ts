import type { ReadContext } from '../../ports/read-context.js';
import { assert, messageOf } from '../contract.js';

/** One method of a port, called with the arguments of a test. */
export type Call = (context: ReadContext) => Promise<unknown>;

/** How a call ended, or that it has not. */
type Outcome = { readonly is: 'answered' | 'answered at once' } | { readonly is: 'rejected'; readonly error: unknown } | { readonly is: 'waiting' };

/** A call that is not ended is first among so many about once in eight tries, so it does not win most of the tries. */
const NEIGHBOURS = 7;
const TRIES = 9;
/** More than any answer from memory passes through; nothing that waits for a database, a file or a timer is done by then. */
const MANY_TURNS = 500;
/** As much as a rejection may pass through once a neighbour has its answer. */
const FEW_TURNS = 20;

/**
 * Holds a call to what a signal promises. A call whose signal has aborted already rejects. One whose signal aborts right after its start rejects
 * without waiting for the database: sooner than the same calls that were started before it and go on, most of the times. A store that answers from
 * memory may have answered by then. The rejection is the signal's reason or an `UnavailableError`.
 */
export async function assertEndsOnAbort(what: string, call: Call): Promise<void> {
  // Connections are open and caches are warm after it, so that the neighbours and the call do the same work.
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

/** Ends calls among neighbours until most tries are lost or won. */
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

/** How a call ended, and whether it had before any call that was started before it and goes on. */
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
