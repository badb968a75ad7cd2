import { UnavailableError } from '@vitrine/core';
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
});
