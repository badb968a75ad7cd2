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
    block(200);
    await pause(120);
    block(60);
    // Timers that were due meanwhile may be late by the time between two samples.
    expect(longest()).toBeGreaterThan(150);
  });

  it('finds a time that has not ended when it stops, and keeps to it', () => {
    const longest = eventLoopLag();
    block(200);
    const first = longest();
    block(300);
    expect(first).toBeGreaterThan(150);
    expect(longest()).toBe(first);
  });
});
