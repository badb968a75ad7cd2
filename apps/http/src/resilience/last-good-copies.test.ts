import { NOW } from '@vitrine/core/testing';
import { heapUsed } from '../../test/support/heap-used.js';
import { LastGoodCopies, type LastGoodCopy } from './last-good-copies.js';

const MEBIBYTE = 1_024 * 1_024;

const copy = (content: LastGoodCopy['content']): LastGoodCopy => ({ madeAt: NOW, nextCursor: null, generatedAt: null, content });

function kept(copies: LastGoodCopies, key: string, body = Buffer.from('{}')): void {
  copies.keep(key, copy(body), body);
}

describe('LastGoodCopies', () => {
  it('holds 2,000 at most, those that were asked for last', () => {
    const copies = new LastGoodCopies();
    for (let serial = 0; serial < 2_500; serial++) {
      kept(copies, `key ${String(serial)}`);
      copies.find('key 0', NOW, 1);
    }
    expect(copies.count).toBe(2_000);
    const found = ['key 0', 'key 1', 'key 501', 'key 2499'].map((key) => copies.find(key, NOW, 1) !== null);
    expect(found).toEqual([true, false, true, true]);
  });

  it.each([
    { bodies: 'long', length: 100_000, bytes: 64 * MEBIBYTE, count: 667 },
    { bodies: 'short', length: 3_000, bytes: 17 * MEBIBYTE, count: 2_000 },
  ])('takes no more memory than it counts for $bodies bodies, and 64 MiB at most', ({ length, bytes, count }) => {
    const copies = new LastGoodCopies();
    const before = heapUsed();
    for (let serial = 0; serial < 2_500; serial++) kept(copies, `key ${String(serial)}`, Buffer.from('x'.repeat(length)));
    expect(copies.bytes).toBeLessThanOrEqual(bytes);
    expect(copies.bytes).toBeGreaterThan(0.95 * bytes);
    expect(copies.count).toBe(count);
    expect(heapUsed() - before).toBeLessThan(copies.bytes + MEBIBYTE);
  });

  it('does not take what alone would be too much', () => {
    const copies = new LastGoodCopies();
    kept(copies, 'small');
    kept(copies, 'large', Buffer.alloc(65 * MEBIBYTE));
    expect(['small', 'large'].map((key) => copies.find(key, NOW, 1) !== null)).toEqual([true, false]);
  });

  it('counts for more what is kept as objects', () => {
    const [text, objects] = [new LastGoodCopies(), new LastGoodCopies()];
    const body = Buffer.alloc(10_000);
    kept(text, 'key', body);
    objects.keep(
      'key',
      copy(() => ({})),
      body,
    );
    expect(objects.bytes).toBeGreaterThan(3 * text.bytes);
  });

  it('puts a newer copy in the place of an older one', () => {
    const copies = new LastGoodCopies();
    for (let times = 0; times < 100; times++) kept(copies, 'key', Buffer.alloc(1_000));
    expect([copies.count, copies.bytes < 4_000]).toEqual([1, true]);
  });
});
