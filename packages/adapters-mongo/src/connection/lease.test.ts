import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { LostLeaseError } from '@vitrine/core';
import { type ClientSession, MongoNetworkError } from 'mongodb';
import { type DatabaseLease, HeldLease } from './lease.js';

/** An error of a socket, which the driver passes on. */
const reset = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
const network = () => new MongoNetworkError('connection timed out');

/** A session without a server: its transactions end as their operations do. */
function fakeSession(): ClientSession {
  const done = () => Promise.resolve();
  return {
    startTransaction: () => undefined,
    inTransaction: () => true,
    commitTransaction: done,
    abortTransaction: done,
    endSession: done,
  } as unknown as ClientSession;
}

/** A lease with a fake document. Each renewal takes the next of the given results. */
function leaseWith(answers: (boolean | Error)[], lastsMs = 30_000) {
  const renew = (): Promise<boolean> => {
    const answer = answers.shift() ?? true;
    return typeof answer === 'boolean' ? Promise.resolve(answer) : Promise.reject(answer);
  };
  const document = { renew, confirm: () => Promise.resolve(true), remove: () => Promise.resolve() };
  return new HeldLease({ document, turn: { holder: 'this test', term: 1 }, session: fakeSession(), lastsMs });
}

describe('a writer whose connection fails', () => {
  it.each([
    ['a reset, and so is the question', reset(), [reset(), false]],
    ['an error of the network, and so is the question', network(), [network(), false]],
    ['a reset, and the question is answered', reset(), [false]],
  ])('rejects with a LostLeaseError if another process has the lease: %s', async (_, error, answers) => {
    const lease = leaseWith(answers);
    await expect(lease.commit(() => Promise.reject(error))).rejects.toBeInstanceOf(LostLeaseError);
    expect(lease.lost.aborted).toBe(true);
    await lease.release();
  });

  it.each([
    ['its turn goes on', reset(), [reset(), true]],
    ['nobody answers', network(), [network(), network()]],
  ])('rejects with the original error if %s', async (_, error, answers) => {
    const lease = leaseWith(answers);
    await expect(lease.commit(() => Promise.reject(error))).rejects.toBe(error);
    expect(lease.lost.aborted).toBe(false);
    await lease.release();
  });
});

describe('a lease that cannot be renewed', () => {
  it('is lost when another process has it, and not while nobody answers', async () => {
    const answers = [...Array.from({ length: 20 }, network), false];
    const lease = leaseWith(answers, 15);
    await once(lease.lost, 'abort');
    expect(answers).toEqual([]);
    expect(lease.lost.reason).toBeInstanceOf(LostLeaseError);
    expect(await lease.isHeld()).toBe(false);
    await lease.release();
  });
});

describe('a lease whose renewals hang', () => {
  it('asks one after the other, and is released only after the last one', async () => {
    const running: (() => void)[] = [];
    const order: string[] = [];
    const renew = () => new Promise<boolean>((resolve) => running.push(() => resolve(true)));
    const remove = () => Promise.resolve(void order.push('removed'));
    const document = { renew, confirm: () => Promise.resolve(true), remove };
    const lease = new HeldLease({ document, turn: { holder: 'this test', term: 1 }, session: fakeSession(), lastsMs: 15 });
    while (running.length === 0) await sleep(1);
    await sleep(100);
    expect(running).toHaveLength(1);
    running.shift()?.();
    while (running.length === 0) await sleep(1);
    const released = lease.release();
    await sleep(20);
    order.push('renewed');
    running.shift()?.();
    await released;
    expect(order).toEqual(['renewed', 'removed']);
    expect(running).toEqual([]);
  });
});

it('can be wrapped by an embedder, who counts its commits', async () => {
  const lease = leaseWith([]);
  let commits = 0;
  const counting: DatabaseLease = {
    lost: lease.lost,
    isHeld: () => lease.isHeld(),
    release: () => lease.release(),
    commit: (write) => {
      commits += 1;
      return lease.commit(write);
    },
  };
  expect([await counting.commit(() => Promise.resolve('written')), commits]).toEqual(['written', 1]);
  await counting.release();
});
