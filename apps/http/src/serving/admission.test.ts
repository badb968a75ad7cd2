import { UnavailableError } from '@vitrine/core';
import fc from 'fast-check';
import { Admission } from './computations.js';

/** The signal of a client that stays connected. */
const staying = (): AbortSignal => new AbortController().signal;
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A call that ends when the test says so. */
function held() {
  let end: () => void = () => undefined;
  const call = () => new Promise<string>((resolve) => (end = () => resolve('done')));
  return { call, end: () => end() };
}

describe('Admission', () => {
  it('runs as many calls as there are slots, and the others in the order of their arrival', async () => {
    const admission = new Admission(3);
    const first = held();
    const running = admission.run(false, staying(), first.call);
    const order: number[] = [];
    const waiting = [1, 2, 3].map((place) => admission.run(false, staying(), () => Promise.resolve(order.push(place))));
    await settled();
    expect(order).toEqual([]);
    first.end();
    await Promise.all([running, ...waiting]);
    expect(order).toEqual([1, 2, 3]);
  });

  it('shares at least one slot, besides the vital ones', async () => {
    expect(await new Admission(1).run(false, staying(), () => Promise.resolve('done'))).toBe('done');
  });

  it('reserves two slots for vital calls, which may also use the others while these are free', async () => {
    const admission = new Admission(3);
    const calls = [held(), held(), held(), held()];
    const running = calls.map(({ call }) => admission.run(true, staying(), call));
    const other = admission.run(false, staying(), () => Promise.resolve('late'));
    await settled();
    calls[2]?.end();
    expect(await other).toBe('late');
    calls[0]?.end();
    await settled();
    calls.forEach(({ end }) => end());
    expect(await Promise.all(running)).toEqual(['done', 'done', 'done', 'done']);
  });

  it('lets a call give its slot back once, before it has ended', async () => {
    const admission = new Admission(3);
    const first = held();
    const running = admission.run(false, staying(), (giveBack) => {
      giveBack();
      giveBack();
      return first.call();
    });
    const second = held();
    const [other, third] = [admission.run(false, staying(), second.call), admission.run(false, staying(), () => Promise.resolve('third'))];
    let isThird = false;
    void third.then(() => (isThird = true));
    first.end();
    await running;
    await settled();
    expect(isThird).toBe(false);
    second.end();
    expect(await Promise.all([other, third])).toEqual(['done', 'third']);
  });

  it('releases a slot if its call fails', async () => {
    const admission = new Admission(3);
    for (let times = 0; times < 5; times++)
      await expect(admission.run(false, staying(), () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    expect(await admission.run(false, staying(), () => Promise.resolve(7))).toBe(7);
  });

  it('rejects a call that has waited for 400 ms, and a call above the limit of waiting calls', async () => {
    const admission = new Admission(3);
    const first = held();
    const running = admission.run(false, staying(), first.call);
    const startedAt = performance.now();
    let refused = 0;
    const refusal = (error: unknown): unknown => {
      refused++;
      return error;
    };
    const waiting = Array.from({ length: 1_000 }, () => admission.run(false, staying(), () => Promise.resolve(0)).catch(refusal));
    await expect(admission.run(false, staying(), () => Promise.resolve(0))).rejects.toThrow(UnavailableError);
    expect(refused).toBe(0);
    const errors = await Promise.all(waiting);
    expect(errors.every((error) => error instanceof UnavailableError)).toBe(true);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(395);
    first.end();
    expect(await running).toBe('done');
    expect(await admission.run(false, staying(), () => Promise.resolve(1))).toBe(1);
  });

  it('forgets a waiting call whose client has disconnected', async () => {
    const admission = new Admission(3);
    const [first, second] = [held(), held()];
    const running = admission.run(false, staying(), first.call);
    const controller = new AbortController();
    const gone = admission.run(false, controller.signal, second.call);
    controller.abort();
    await expect(gone).rejects.toThrow(UnavailableError);
    first.end();
    expect([await running, await admission.run(false, staying(), () => Promise.resolve(2))]).toEqual(['done', 2]);
  });

  const SLOTS = 2;
  /** A step of a client or of a call, and how many turns of promises pass until the next one. */
  const steps = fc.array(fc.tuple(fc.constantFrom('arrive', 'leave', 'end', 'fail'), fc.nat({ max: 30 }), fc.nat({ max: 6 })), {
    minLength: 30,
    maxLength: 90,
  });

  it('loses no slot and admits nobody twice, in whatever order calls arrive, leave and end', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const admission = new Admission(SLOTS + 2);
        const clients: AbortController[] = [];
        const running = new Map<number, { readonly end: (result: string) => void; readonly fail: (error: Error) => void }>();
        const [begun, answers]: [number[], Promise<unknown>[]] = [[], []];
        let most = 0;
        const arrive = (): void => {
          const client = new AbortController();
          const place = clients.push(client);
          const call = () =>
            new Promise<string>((end, fail) => {
              begun.push(place);
              running.set(place, { end, fail });
              most = Math.max(most, running.size);
            }).finally(() => running.delete(place));
          answers.push(admission.run(false, client.signal, call).catch((error: unknown) => error));
        };
        const someOf = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % items.length];
        for (const [step, index, turns] of taken) {
          if (step === 'arrive') arrive();
          if (step === 'leave') someOf(clients, index)?.abort();
          if (step === 'end') someOf([...running.values()], index)?.end('done');
          if (step === 'fail') someOf([...running.values()], index)?.fail(new Error('lost'));
          for (let turn = 0; turn < turns; turn++) await Promise.resolve();
        }
        expect(begun).toEqual([...begun].sort((one, other) => one - other));
        clients.forEach((client) => client.abort());
        running.forEach(({ end }) => end('done'));
        await settled();
        running.forEach(({ end }) => end('done'));
        await Promise.all(answers);
        // All slots are free again, and there are no more of them.
        for (let count = 0; count <= SLOTS; count++) arrive();
        await settled();
        expect([running.size, most]).toEqual([SLOTS, SLOTS]);
        while (running.size > 0) {
          running.forEach(({ end }) => end('done'));
          await settled();
        }
      }),
    );
  });
});
