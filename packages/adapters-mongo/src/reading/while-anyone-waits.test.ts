import { whileAnyoneWaits } from './while-anyone-waits.js';

describe('what several ask for together', () => {
  const left = new Error('left');

  it('goes on until the last of them has gone', async () => {
    const waiting = [new AbortController(), new AbortController(), new AbortController()];
    const signals = waiting.map(({ signal }) => signal);
    await whileAnyoneWaits(signals, (signal) => {
      const ended = waiting.map((controller) => {
        controller.abort(left);
        return signal.aborted;
      });
      expect([ended, signal.reason]).toEqual([[false, false, true], left]);
      return Promise.resolve();
    });
  });

  it('is over at once when all have gone before', async () => {
    const [one, other] = [AbortSignal.abort(left), AbortSignal.abort(left)];
    expect(await whileAnyoneWaits([one, other], (signal) => Promise.resolve(signal.aborted))).toBe(true);
  });

  it('takes the signal itself when there is one', async () => {
    const { signal } = new AbortController();
    expect(await whileAnyoneWaits([signal, signal], (own) => Promise.resolve(own))).toBe(signal);
  });

  it('ends with what it gives, and nobody is listened to any more', async () => {
    const waiting = [new AbortController(), new AbortController()];
    const signals = waiting.map(({ signal }) => signal);
    const shared = await whileAnyoneWaits(signals, (signal) => Promise.resolve(signal));
    for (const controller of waiting) controller.abort(left);
    expect(shared.aborted).toBe(false);
    await expect(whileAnyoneWaits(signals, () => Promise.reject(left))).rejects.toBe(left);
  });
});
