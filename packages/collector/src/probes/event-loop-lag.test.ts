import { setTimeout as pause } from 'node:timers/promises';
import { eventLoopLag } from './probe-source.js';

function block(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe('eventLoopLag', () => {
  it('finds the longest time without a turn, wherever it lies', async () => {
    const longest = eventLoopLag();
    await pause(120);
    block(150);
    await pause(120);
    block(20);
    // Timers that were due meanwhile may be late by the time between two samples.
    expect(longest()).toBeGreaterThan(100);
  });

  it('finds a time that has not ended when it stops, and keeps to it', () => {
    const longest = eventLoopLag();
    block(150);
    const first = longest();
    block(60);
    expect(first).toBeGreaterThan(100);
    expect(longest()).toBe(first);
  });
});
