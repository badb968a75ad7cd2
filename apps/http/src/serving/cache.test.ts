import { isTorture, sampled } from '@vitrine/test-support';
import { randomBytes } from 'node:crypto';
import { MINUTE, SECOND, type Instant } from '@vitrine/core';
import { NOW, StandingClock } from '@vitrine/core/testing';
import { heapUsed } from '../../test/support/heap-used.js';
import { AnswerCache, type Address, type KeptAnswer, type MadeAnswer, type Topics } from './cache.js';
import { FinishedAnswer } from './finished-answer.js';

const MEBIBYTE = 1_024 * 1_024;

const aList = (target: string): Address => ({ target, route: '/api/v1/news', isKeptApart: false });
const aStatus = (target: string): Address => ({ target, route: '/api/v1/status', isKeptApart: true });

function answerOf(text: string): FinishedAnswer {
  return new FinishedAnswer({ type: 'application/json', text, cacheControl: 'public', link: '', etag: null });
}

const ABOUT_NEWS: Topics = { kinds: new Set(['news']), repository: null };
const ABOUT_SERVICES: Topics = { kinds: new Set(['service']), repository: null };

interface MadeOptions {
  readonly text?: string;
  readonly madeAt?: Instant;
  readonly topics?: Topics;
  readonly again?: () => unknown;
}

/** An answer that expires in 30 s. */
function made({ text = '{}', madeAt = NOW, topics = ABOUT_NEWS, again }: MadeOptions = {}): MadeAnswer {
  return { answer: answerOf(text), madeAt, expiresAt: madeAt + 30 * SECOND, topics, nextCursor: null, generatedAt: null, again };
}

/** Cannot be compressed well. */
function randomText(length: number): string {
  return randomBytes(length).toString('base64').slice(0, length);
}

function started(reuses = true) {
  const clock = new StandingClock(NOW);
  const cache = new AnswerCache(clock, reuses);
  const keep = (address: Address, answer = made(), revision: string | null = 'r1'): KeptAnswer => {
    cache.keep(address, revision, answer);
    return cache.lastGood(address, revision, Infinity) ?? { ...answer, isOutdated: false };
  };
  const at = (time: Instant, address: Address): (KeptAnswer | null)[] => {
    clock.set(time);
    return [cache.current(address, 'r1'), cache.lastGood(address, 'r1', MINUTE)];
  };
  return { clock, cache, keep, at };
}

const NEWS = aList('/api/v1/news');
const STATUS = aStatus('/api/v1/status');

describe('an answer in the cache', () => {
  it('is current until it expires, and the last good one until it is too old', () => {
    const { keep, at } = started();
    const kept = keep(NEWS);
    expect(at(NOW, NEWS)).toEqual([kept, kept]);
    expect(at(NOW + 30 * SECOND - 1, NEWS)).toEqual([kept, kept]);
    expect(at(NOW + 30 * SECOND, NEWS)).toEqual([null, kept]);
    expect(at(NOW + MINUTE, NEWS)).toEqual([null, kept]);
    expect(at(NOW + MINUTE + 1, NEWS)).toEqual([null, null]);
  });

  it('is only the last good one if something was written while it was computed', () => {
    const { cache, at } = started();
    cache.keep(NEWS, 'r1', made(), true);
    expect(at(NOW, NEWS)).toMatchObject([null, { madeAt: NOW }]);
  });

  it('is not current while the clock is set back before its making', () => {
    const { keep, at } = started();
    const kept = keep(NEWS);
    expect(at(NOW - 1, NEWS)).toEqual([null, kept]);
    expect(at(NOW, NEWS)).toEqual([kept, kept]);
  });

  it('is never current if answers are not reused, but serves as the last good one', () => {
    const { cache, keep } = started(false);
    const kept = keep(NEWS);
    expect([cache.current(NEWS, 'r1'), cache.lastGood(NEWS, 'r1', MINUTE)]).toEqual([null, kept]);
  });

  it('is found by its address only', () => {
    const { cache, keep } = started();
    const kept = keep(NEWS);
    const found = [NEWS, aList('/api/v1/news?limit=2'), aList('/api/v1/videos')].map((address) => cache.current(address, 'r1'));
    expect(found).toEqual([kept, null, null]);
  });

  it('is replaced by a newer one', () => {
    const { cache, keep } = started();
    keep(NEWS, made({ text: 'x'.repeat(1_000) }));
    const before = cache.bytes;
    const newer = keep(NEWS, made({ text: 'y'.repeat(1_000) }));
    expect([cache.current(NEWS, 'r1'), cache.count, cache.bytes]).toEqual([newer, 1, before]);
  });

  it('is not replaced by one whose computation began earlier, unless the clock was set back', () => {
    const { clock, cache, keep } = started();
    clock.set(NOW + SECOND);
    const newer = keep(NEWS, made({ madeAt: NOW + SECOND }));
    keep(NEWS, made({ madeAt: NOW }));
    expect(cache.current(NEWS, 'r1')).toBe(newer);
    clock.jump(NOW - MINUTE);
    const afterJump = keep(NEWS, made({ madeAt: NOW - MINUTE }));
    expect(cache.current(NEWS, 'r1')).toBe(afterJump);
  });

  it('is gone when it is forgotten', () => {
    const { cache, keep, at } = started();
    keep(NEWS);
    cache.forget(NEWS, 'r1');
    expect([...at(NOW, NEWS), cache.count, cache.bytes]).toEqual([null, null, 0, 0]);
  });
});

describe('a write', () => {
  it('ends the answers that it concerns, which stay the last good ones, and no others', () => {
    const { cache, keep, at } = started();
    const [news, status] = [keep(NEWS), keep(STATUS, made({ topics: ABOUT_SERVICES }))];
    cache.outdate((topics) => topics === ABOUT_SERVICES);
    expect([at(NOW, NEWS), at(NOW, STATUS)]).toEqual([
      [news, news],
      [null, status],
    ]);
    cache.outdate(() => true);
    expect(at(NOW, NEWS)).toEqual([null, news]);
  });

  it('does not end the answer that is computed after it, and what it has ended stays so when a coding is added', () => {
    const { cache, keep, at } = started();
    const before = keep(NEWS, made({ text: 'x'.repeat(2_000) }));
    cache.outdate(() => true);
    before.answer.bodyFor({ 'accept-encoding': 'br' });
    expect(at(NOW, NEWS)).toEqual([null, before]);
    const after = keep(NEWS);
    expect(at(NOW, NEWS)).toEqual([after, after]);
  });
});

describe('the revision of the allowlist', () => {
  it('that changes ends all answers, also if it returns', () => {
    const { cache, keep } = started();
    keep(NEWS);
    keep(STATUS);
    expect([NEWS, STATUS].map((address) => cache.current(address, 'r2'))).toEqual([null, null]);
    expect([cache.count, cache.bytes]).toEqual([0, 0]);
    expect([cache.current(NEWS, 'r1'), cache.lastGood(NEWS, 'r1', MINUTE)]).toEqual([null, null]);
  });

  it.each(['keep', 'lastGood'] as const)('is noticed by %s', (method) => {
    const { cache, keep } = started();
    keep(NEWS);
    if (method === 'keep') keep(STATUS, made(), 'r2');
    else cache.lastGood(STATUS, 'r2', MINUTE);
    expect([cache.current(NEWS, 'r2'), cache.lastGood(NEWS, 'r1', MINUTE)]).toEqual([null, null]);
  });

  it('that cannot be read has answers of its own, and does not end the others', () => {
    const { cache, keep } = started();
    const [readable, unreadable] = [keep(STATUS), keep(STATUS, made(), null)];
    expect([cache.current(STATUS, 'r1'), cache.current(STATUS, null), cache.current(NEWS, null)]).toEqual([readable, unreadable, null]);
    expect(cache.current(STATUS, 'r2')).toBeNull();
  });
});

describe('the memory of the cache', () => {
  it('holds at most 2,000 lists, and drops the least recently requested', () => {
    const { cache, keep } = started();
    const list = (serial: number): Address => aList(`/api/v1/news?limit=${String(serial)}`);
    for (let serial = 0; serial < 2_500; serial++) {
      keep(list(serial));
      cache.current(list(0), 'r1');
    }
    expect(cache.count).toBe(2_000);
    expect([0, 1, 501, 2_499].map((serial) => cache.current(list(serial), 'r1') !== null)).toEqual([true, false, true, true]);
  });

  it('is separate for lists and for what is kept apart, so that they cannot evict each other', () => {
    const { cache, keep } = started();
    const [news, status] = [keep(NEWS), keep(STATUS)];
    for (let serial = 0; serial < 2_001; serial++) keep(aList(String(serial)));
    expect([cache.current(NEWS, 'r1'), cache.current(STATUS, 'r1')]).toEqual([null, status]);
    keep(NEWS, news);
    for (let serial = 0; serial < 2_001; serial++) keep(aStatus(String(serial)));
    expect([cache.current(NEWS, 'r1'), cache.current(STATUS, 'r1')]).toEqual([news, null]);
  });

  it.each(
    sampled(
      [
        { space: 'long answers that are kept apart', addressOf: aStatus, count: 200, length: 100_000, limit: 16 },
        { space: 'lists of long answers', addressOf: aList, count: 600, length: 100_000, limit: 48 },
        { space: 'lists of short answers', addressOf: aList, count: 2_000, length: 200, limit: 3.4 },
      ],
      3,
    ),
  )('is at most $limit MiB for $space, and no more than it counts', ({ addressOf, count, length, limit }) => {
    const { cache, keep } = started();
    const before = isTorture ? heapUsed() : 0;
    for (let serial = 0; serial < count; serial++) keep(addressOf(String(serial)), made({ text: 'x'.repeat(length) }));
    expect(cache.bytes).toBeLessThanOrEqual(limit * MEBIBYTE);
    expect(cache.bytes).toBeGreaterThan(0.95 * limit * MEBIBYTE);
    // A collection of all that a worker keeps takes half a second.
    if (isTorture) expect(heapUsed() - before).toBeLessThan(cache.bytes + MEBIBYTE);
  });

  it('counts the codings that an answer gets later, and drops other answers for them', () => {
    const { cache, keep } = started();
    const answers = Array.from({ length: 54 }, (_, serial) => keep(aStatus(String(serial)), made({ text: randomText(60_000), again: () => null })));
    const before = cache.bytes;
    expect([cache.count, before < 16 * MEBIBYTE]).toEqual([54, true]);
    for (const { answer } of answers) answer.bodyFor({ 'accept-encoding': 'gzip' });
    expect([cache.count < 54, cache.bytes <= 16 * MEBIBYTE]).toEqual([true, true]);
  });

  it('counts a coding of an answer exactly, and nothing for an answer that was replaced', () => {
    const { cache, keep } = started();
    const kept = keep(NEWS, made({ text: 'x'.repeat(2_000) }));
    const [before, size] = [cache.bytes, kept.answer.bytes];
    kept.answer.bodyFor({ 'accept-encoding': 'br' });
    expect(cache.bytes - before).toBe(kept.answer.bytes - size);
    keep(NEWS, made({ text: 'y'.repeat(2_000) }));
    kept.answer.bodyFor({ 'accept-encoding': 'gzip' });
    expect([cache.bytes, cache.count]).toEqual([before, 1]);
  });

  it('counts four times the text for data that are kept as objects', () => {
    const [plain, heavy] = [started(), started()];
    const text = 'x'.repeat(1_000);
    plain.keep(NEWS, made({ text }));
    heavy.keep(NEWS, made({ text, again: () => null }));
    expect(heavy.cache.bytes - plain.cache.bytes).toBe(4_000);
  });

  it('does not take an answer that is larger than its space, and keeps the others', () => {
    const { cache, keep } = started();
    const small = keep(STATUS);
    keep(aStatus('large'), made({ text: 'x'.repeat(17 * MEBIBYTE) }));
    expect([cache.current(STATUS, 'r1'), cache.current(aStatus('large'), 'r1')]).toEqual([small, null]);
  });
});

describe('the spellings of addresses', () => {
  it('are known for each that asked for an answer', () => {
    const { cache } = started();
    cache.spelt('/api/v1/news?limit=20', NEWS);
    cache.spelt('/api/v1/news?', NEWS);
    const known = ['/api/v1/news?limit=20', '/api/v1/news?', '/api/v1/news', '__proto__'].map((spelling) => cache.addressOf(spelling));
    expect(known).toEqual([NEWS, NEWS, null, null]);
  });

  it('do not outweigh 4 MiB: the least recently used are dropped', () => {
    const { cache } = started();
    const spelling = (serial: number): string => `/api/v1/news?limit=${String(serial).padStart(2_000, '0')}`;
    for (let serial = 0; serial < 2_000; serial++) cache.spelt(spelling(serial), NEWS);
    const known = Array.from({ length: 2_000 }, (_, serial) => cache.addressOf(spelling(serial)) !== null);
    const count = known.filter(Boolean).length;
    expect(2 * 2_000 * count).toBeLessThan(4 * MEBIBYTE);
    expect(count).toBeGreaterThan(800);
    expect([known[0], known[1_999]]).toEqual([false, true]);
  });
});
