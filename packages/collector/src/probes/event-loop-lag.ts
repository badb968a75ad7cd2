const SAMPLED_EVERY_MS = 50;

/**
 * Starts to measure how long the event loop of this process does not run, for example while it parses a large document.
 *
 * @returns stops the measurement, and returns the longest time without a turn in milliseconds. It may be called again.
 */
export function eventLoopLag(): () => number {
  let last = performance.now();
  let longest = 0;
  const sample = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last - SAMPLED_EVERY_MS);
    last = now;
  };
  const timer = setInterval(sample, SAMPLED_EVERY_MS);
  let isRunning = true;
  return () => {
    if (isRunning) sample();
    isRunning = false;
    clearInterval(timer);
    return longest;
  };
}
