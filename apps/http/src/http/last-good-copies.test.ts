import { NOW } from '@vitrine/core/testing';
import { heapUsed } from '../../test/support/heap-used.js';
import { LastGoodCopies, type LastGoodCopy } from './last-good-copies.js';

const MEBIBYTE = 1_024 * 1_024;

const copy = (content: LastGoodCopy['content']): LastGoodCopy => ({ madeAt: NOW, nextCursor: null, generatedAt: null, content });

/** A text that shares no memory with another, its characters two bytes wide. */
const wide = (length: number, serial: number): string =>
  Buffer.alloc(2 * length, `${String.fromCharCode(0x4e00 + serial)}`, 'utf16le').toString('utf16le');

describe('LastGoodCopies', () => {
  it('holds 2,000 at most, those that were asked for last', () => {
    const copies = new LastGoodCopies();
    for (let serial = 0; serial < 2_500; serial++) {
      copies.keep(`key ${String(serial)}`, copy('{}'), 2);
      copies.find('key 0', NOW, 1);
    }
    expect(copies.count).toBe(2_000);
    const found = ['key 0', 'key 1', 'key 501', 'key 2499'].map((key) => copies.find(key, NOW, 1) !== null);
    expect(found).toEqual([true, false, true, true]);
  });

  it('takes no more memory than 64 MiB, however wide its texts are', () => {
    const copies = new LastGoodCopies();
    const before = heapUsed();
    for (let serial = 0; serial < 600; serial++) copies.keep(`key ${String(serial)}`, copy(wide(100_000, serial)), 100_000);
    expect(copies.bytes).toBeLessThanOrEqual(64 * MEBIBYTE);
    expect(copies.bytes).toBeGreaterThan(60 * MEBIBYTE);
    expect(copies.count).toBe(Math.floor(copies.bytes / 200_000));
    expect(heapUsed() - before).toBeLessThan(66 * MEBIBYTE);
  });

  it('does not take what alone would be too much', () => {
    const copies = new LastGoodCopies();
    copies.keep('small', copy('{}'), 2);
    copies.keep('large', copy('{}'), 40 * MEBIBYTE);
    expect(['small', 'large'].map((key) => copies.find(key, NOW, 1) !== null)).toEqual([true, false]);
  });

  it('counts for more what is kept as objects', () => {
    const [text, objects] = [new LastGoodCopies(), new LastGoodCopies()];
    text.keep('key', copy('{}'), 10_000);
    objects.keep(
      'key',
      copy(() => ({})),
      10_000,
    );
    expect(objects.bytes).toBeGreaterThan(1.9 * text.bytes);
  });

  it('puts a newer copy in the place of an older one', () => {
    const copies = new LastGoodCopies();
    for (let times = 0; times < 100; times++) copies.keep('key', copy('{}'), 1_000);
    expect([copies.count, copies.bytes < 4_000]).toEqual([1, true]);
  });
});
