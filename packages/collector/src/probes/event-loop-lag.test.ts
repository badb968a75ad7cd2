import { setTimeout as pause } from 'node:timers/promises';
import { eventLoopLag } from './probe-source.js';

function block(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe('eventLoopLag', () => {
  it('finds the longest time without a turn, wherever it lies', async () => {
    const longest = eventLoopLag();
    await pause(60);
    block(80);
    await pause(60);
    block(10);
    // Timers that were due meanwhile may be late by the time between two samples.
    expect(longest()).toBeGreaterThan(20);
  });

  it('finds a time that has not ended when it stops, and keeps to it', () => {
    const longest = eventLoopLag();
    block(80);
    const first = longest();
    block(30);
    expect(first).toBeGreaterThan(20);
    expect(longest()).toBe(first);
  });
});
