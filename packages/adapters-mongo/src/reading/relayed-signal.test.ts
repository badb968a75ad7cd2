import { getEventListeners } from 'node:events';
import { relayedSignal } from './relayed-signal.js';

describe('a relayed signal', () => {
  it('aborts with the original signal, for the same reason', () => {
    const controller = new AbortController();
    const signal = relayedSignal(controller.signal);
    const told: unknown[] = [];
    signal.addEventListener('abort', function (this: AbortSignal) {
      told.push(this.reason);
    });
    expect([signal.aborted, told]).toEqual([false, []]);
    signal.throwIfAborted();
    const gone = new Error('gone');
    controller.abort(gone);
    expect([signal.aborted, told]).toEqual([true, [gone]]);
    expect(() => {
      signal.throwIfAborted();
    }).toThrow(gone);
  });

  it('does not call removed listeners', () => {
    const controller = new AbortController();
    const signal = relayedSignal(controller.signal);
    const listener = (): never => {
      throw new Error('told');
    };
    signal.addEventListener('abort', listener);
    signal.removeEventListener('abort', listener);
    controller.abort();
    expect(signal.aborted).toBe(true);
  });

  it('adds one listener to the original signal, however many operations there are', () => {
    const { signal } = new AbortController();
    const relays = new Set(Array.from({ length: 20 }, () => relayedSignal(signal)));
    for (const relay of relays) for (let times = 0; times < 20; times++) relay.addEventListener('abort', () => undefined);
    expect([relays.size, getEventListeners(signal, 'abort').length]).toEqual([1, 1]);
  });
});
