import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { UnavailableError } from '@vitrine/core';
import { Computations, type Computing, TimedOutError, type Work } from './computations.js';

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
});

afterEach(() => {
  jest.useRealTimers();
});

/** A client that stays until it leaves. */
function aClient() {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  return { response, leave: () => response.emit('close'), listeners: () => response.listenerCount('close') };
}

/** Work that ends when the test says so, and does not notice that it is aborted. */
function heldWork({ key = 'key', facts = 'facts', budgetMs = 10_000 } = {}) {
  const runs: (Computing & { readonly end: (result: string) => void; readonly fail: (error: Error) => void })[] = [];
  const compute: Work<string, string>['compute'] = (computing) =>
    new Promise((end, fail) => {
      runs.push({ ...computing, end, fail });
    });
  return { work: { key, facts, budgetMs, compute }, runs };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function started() {
  return new Computations<string, string>();
}

describe('Computations', () => {
  it('computes once for all requests that want the same at the same time', async () => {
    const [computations, { work, runs }] = [started(), heldWork()];
    const answers = Array.from({ length: 20 }, () => computations.join(aClient(), work));
    expect(runs).toHaveLength(1);
    runs[0]?.end('done');
    expect(await Promise.all(answers)).toEqual(Array.from({ length: 20 }, () => 'done'));
  });

  it('computes separately what has another key', async () => {
    const [computations, one, other] = [started(), heldWork(), heldWork({ key: 'other' })];
    const answers = [computations.join(aClient(), one.work), computations.join(aClient(), other.work)];
    one.runs[0]?.end('one');
    other.runs[0]?.end('other');
    expect(await Promise.all(answers)).toEqual(['one', 'other']);
  });

  it('computes again after the computation has ended, with a result or an error', async () => {
    const [computations, { work, runs }] = [started(), heldWork()];
    const first = computations.join(aClient(), work);
    runs[0]?.end('first');
    expect(await first).toBe('first');
    const second = computations.join(aClient(), work);
    runs[1]?.fail(new RangeError('broken'));
    await expect(second).rejects.toThrow('broken');
    const third = computations.join(aClient(), work);
    runs[2]?.end('third');
    expect([await third, runs.length]).toEqual(['third', 3]);
  });

  it('gives an error to all clients of the computation', async () => {
    const [computations, { work, runs }] = [started(), heldWork()];
    const answers = [1, 2].map(() => computations.join(aClient(), work));
    const refused = Promise.all(answers.map((answer) => expect(answer).rejects.toThrow('broken')));
    runs[0]?.fail(new RangeError('broken'));
    await refused;
  });

  it('lets others join for 200 ms, and begins again for a client that comes later', async () => {
    const [computations, { work, runs }] = [started(), heldWork()];
    const early = [computations.join(aClient(), work)];
    jest.advanceTimersByTime(200);
    early.push(computations.join(aClient(), work));
    expect(runs).toHaveLength(1);
    jest.advanceTimersByTime(1);
    const late = [computations.join(aClient(), work)];
    expect(runs).toHaveLength(2);
    runs[0]?.end('first');
    expect(await Promise.all(early)).toEqual(['first', 'first']);
    late.push(computations.join(aClient(), work));
    expect(runs).toHaveLength(2);
    runs[1]?.end('second');
    expect(await Promise.all(late)).toEqual(['second', 'second']);
  });
});

describe('a client of a computation', () => {
  it('is refused at once when it leaves, and the others still get the result', async () => {
    const [computations, { work, runs }] = [started(), heldWork()];
    const [first, second] = [aClient(), aClient()];
    const [left, stayed] = [computations.join(first, work), computations.join(second, work)];
    first.leave();
    await expect(left).rejects.toThrow(UnavailableError);
    expect(runs[0]?.signal.aborted).toBe(false);
    runs[0]?.end('done');
    expect(await stayed).toBe('done');
  });

  it('aborts the computation when it is the last to leave, and the next one begins again', async () => {
    const [computations, { work, runs }] = [started(), heldWork()];
    const clients = [aClient(), aClient()];
    const refused = Promise.all(clients.map((client) => expect(computations.join(client, work)).rejects.toThrow(UnavailableError)));
    for (const client of clients) client.leave();
    await refused;
    expect(runs[0]?.signal.aborted).toBe(true);
    expect(runs[0]?.signal.reason).not.toBeInstanceOf(TimedOutError);
    const next = computations.join(aClient(), work);
    runs[1]?.end('next');
    expect(await next).toBe('next');
  });

  it('leaves nothing behind on its response when the computation has ended', async () => {
    const [computations, { work, runs }, client] = [started(), heldWork(), aClient()];
    const before = client.listeners();
    const answer = computations.join(client, work);
    runs[0]?.end('done');
    await answer;
    await settled();
    expect(client.listeners()).toBe(before);
    client.leave();
    expect(runs[0]?.signal.aborted).toBe(false);
  });
});

describe('the budget of a computation', () => {
  it('ends it for all clients as timed out, although it does not notice', async () => {
    const [computations, { work, runs }] = [started(), heldWork({ budgetMs: 20 })];
    const refused = [1, 2].map(() => expect(computations.join(aClient(), work)).rejects.toThrow(TimedOutError));
    jest.advanceTimersByTime(19);
    expect(runs[0]?.signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    await Promise.all(refused);
    expect(runs[0]?.signal.reason).toBeInstanceOf(TimedOutError);
    const next = computations.join(aClient(), work);
    runs[1]?.end('next');
    expect(await next).toBe('next');
  });

  it('is for what it waits for: once all is read, a slow machine may take longer', async () => {
    const [computations, { work, runs }] = [started(), heldWork({ budgetMs: 20 })];
    const answer = computations.join(aClient(), work);
    runs[0]?.haveRead();
    jest.advanceTimersByTime(10_000);
    expect(runs[0]?.signal.aborted).toBe(false);
    runs[0]?.end('drawn');
    expect(await answer).toBe('drawn');
  });

  it('is that of the first client', async () => {
    const [computations, { work, runs }] = [started(), heldWork({ budgetMs: 20 })];
    const first = expect(computations.join(aClient(), work)).rejects.toThrow(TimedOutError);
    const second = expect(computations.join(aClient(), { ...work, budgetMs: 10_000 })).rejects.toThrow(TimedOutError);
    jest.advanceTimersByTime(20);
    await Promise.all([first, second]);
    expect(runs).toHaveLength(1);
  });
});

describe('a computation that began before a write', () => {
  it('is not joined after the write, and tells that it is outdated; its own clients still get its result', async () => {
    const [computations, { work, runs }] = [started(), heldWork()];
    const before = computations.join(aClient(), work);
    expect(runs[0]?.isOutdated()).toBe(false);
    computations.outdate((facts) => facts === 'facts');
    const after = computations.join(aClient(), work);
    expect(runs.map(({ isOutdated }) => isOutdated())).toEqual([true, false]);
    runs[1]?.end('new');
    runs[0]?.end('old');
    expect(await Promise.all([before, after])).toEqual(['old', 'new']);
  });

  it('goes on as before if the write does not concern it', async () => {
    const [computations, { work, runs }] = [started(), heldWork()];
    const answers = [computations.join(aClient(), work)];
    computations.outdate((facts) => facts !== 'facts');
    answers.push(computations.join(aClient(), work));
    expect([runs.length, runs[0]?.isOutdated()]).toEqual([1, false]);
    runs[0]?.end('done');
    expect(await Promise.all(answers)).toEqual(['done', 'done']);
  });

  it('is outdated also if a later computation has taken its place', async () => {
    const [computations, { work, runs }] = [started(), heldWork()];
    const answers = [computations.join(aClient(), work)];
    jest.advanceTimersByTime(201);
    answers.push(computations.join(aClient(), work));
    computations.outdate(() => true);
    expect(runs.map(({ isOutdated }) => isOutdated())).toEqual([true, true]);
    for (const { end } of runs) end('done');
    await Promise.all(answers);
  });

  it('is outdated also if all its clients have left or its time is over', async () => {
    const [computations, left, late] = [started(), heldWork(), heldWork({ key: 'late', budgetMs: 20 })];
    const client = aClient();
    const refused = [computations.join(client, left.work), computations.join(aClient(), late.work)].map((answer) =>
      expect(answer).rejects.toThrow(UnavailableError),
    );
    client.leave();
    jest.advanceTimersByTime(20);
    await Promise.all(refused);
    computations.outdate(() => true);
    expect([left, late].map(({ runs }) => runs[0]?.isOutdated())).toEqual([true, true]);
    for (const { runs } of [left, late]) runs[0]?.end('done');
  });
});
