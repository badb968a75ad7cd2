import { UnreadAnswers } from './unread-answers.js';

/** A fake client that reads bytes only when the test says so. */
class Reader {
  unsent = 1_000;
  isCut = false;
  readonly evict = (): void => {
    this.isCut = true;
  };
}

describe('a client that does not read its response', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('is disconnected when it has read no byte for some time, and not earlier', async () => {
    const unread = new UnreadAnswers({ maxUnreadBytes: 1_000_000, stallMs: 750 });
    const [stuck, slow, late] = [new Reader(), new Reader(), new Reader()];
    unread.add(stuck, 1_000);
    unread.add(slow, 1_000);
    unread.add(late, 1_000);
    for (let times = 0; times < 8; times++) {
      await jest.advanceTimersByTimeAsync(200);
      slow.unsent -= 1;
      if (times === 0) late.unsent -= 1;
      if (times === 1) expect(stuck.isCut).toBe(false);
    }
    expect([stuck.isCut, slow.isCut, late.isCut]).toEqual([true, false, true]);
    unread.delete(slow);
  });

  it('is disconnected first if it has waited the longest when all unread bytes are too many', () => {
    const unread = new UnreadAnswers({ maxUnreadBytes: 2_500, stallMs: 15_000 });
    const readers = Array.from({ length: 5 }, () => new Reader());
    for (const reader of readers) unread.add(reader, 1_000);
    expect(readers.map(({ isCut }) => isCut)).toEqual([true, true, true, false, false]);
    for (const reader of readers) unread.delete(reader);
    // No earlier bytes are counted any more.
    const next = [new Reader(), new Reader()];
    for (const reader of next) unread.add(reader, 1_200);
    expect(next.map(({ isCut }) => isCut)).toEqual([false, false]);
    for (const reader of next) unread.delete(reader);
  });
});
