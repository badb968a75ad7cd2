import { BSON, type Document } from 'mongodb';
import { BadValue } from '../documents/codec.js';
import { Meanings } from './meanings.js';

const MEBIBYTE = 1_048_576;

describe('meanings', () => {
  let decoded: Document[] = [];
  let told: string[] = [];
  const monitor = { quarantined: (kind: string, id: string, reason: string) => told.push(`${kind} ${id}: ${reason}`) };
  const decode = (document: Document): { readonly title: string } | BadValue => {
    decoded.push(document);
    const title: unknown = document['title'];
    return typeof title === 'string' ? { title } : new BadValue('title', 'wrong');
  };
  const meanings = () => new Meanings('article', monitor, decode);
  const bytesOf = (id: string, title: unknown) => BSON.serialize({ _id: id, title });

  beforeEach(() => {
    decoded = [];
    told = [];
  });

  it('decodes what is the same once, and gives the same object', () => {
    const known = meanings();
    const [first] = known.of([bytesOf('a', 'one')]);
    expect(known.of([bytesOf('a', 'one')])[0]).toBe(first);
    expect(decoded).toEqual([{ _id: 'a', title: 'one' }]);
  });

  it('decodes a document that has changed again', () => {
    const known = meanings();
    expect(['one', 'two', 'one'].map((title) => known.of([bytesOf('a', title)])[0])).toEqual([{ title: 'one' }, { title: 'two' }, { title: 'one' }]);
    expect(decoded).toHaveLength(2);
  });

  it('leaves out what cannot be used, and tells of it each time', () => {
    const known = meanings();
    const broken = bytesOf('c', 'xMARKERx');
    broken.set(new Uint8Array(6).fill(0xff), Buffer.from(broken).indexOf('MARKER'));
    const found = [bytesOf('a', 'one'), bytesOf('b', 17), broken];
    expect([known.of(found), known.of(found)]).toEqual([[{ title: 'one' }], [{ title: 'one' }]]);
    expect(told).toEqual(['article b: title: wrong', 'article c: not UTF-8', 'article b: title: wrong', 'article c: not UTF-8']);
  });

  it('forgets what was met longest ago when there is too much', () => {
    const known = meanings();
    const long = 'x'.repeat(10_000);
    const found = Array.from({ length: 1 + MEBIBYTE / long.length }, (_, index) => bytesOf(String(index), long));
    known.of(found);
    known.of(found.slice(-10));
    expect(decoded).toHaveLength(found.length);
    known.of(found.slice(0, 1));
    expect(decoded).toHaveLength(found.length + 1);
  });

  it('keeps no document of more than 16 KiB', () => {
    const known = meanings();
    for (let time = 0; time < 2; time++) known.of([bytesOf('a', 'x'.repeat(16_384))]);
    expect(decoded).toHaveLength(2);
  });
});
