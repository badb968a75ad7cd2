import { whileAnyoneWaits } from './relayed-signal.js';

describe('a call for several waiting callers', () => {
  const left = new Error('left');

  it('continues until the last of them has aborted', async () => {
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

  it('is aborted at once if all have aborted before', async () => {
    const [one, other] = [AbortSignal.abort(left), AbortSignal.abort(left)];
    expect(await whileAnyoneWaits([one, other], (signal) => Promise.resolve(signal.aborted))).toBe(true);
  });

  it('uses the signal itself if there is only one', async () => {
    const { signal } = new AbortController();
    expect(await whileAnyoneWaits([signal, signal], (own) => Promise.resolve(own))).toBe(signal);
  });

  it('returns its result, and removes all listeners', async () => {
    const waiting = [new AbortController(), new AbortController()];
    const signals = waiting.map(({ signal }) => signal);
    const shared = await whileAnyoneWaits(signals, (signal) => Promise.resolve(signal));
    for (const controller of waiting) controller.abort(left);
    expect(shared.aborted).toBe(false);
    await expect(whileAnyoneWaits(signals, () => Promise.reject(left))).rejects.toBe(left);
  });
});
