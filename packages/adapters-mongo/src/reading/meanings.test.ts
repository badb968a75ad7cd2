import { BSON, type Document } from 'mongodb';
import { BadValue } from '../documents/codec.js';
import { DecodedDocuments, Meanings } from './decoding.js';

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
  const decoder = { toRecord: decode };
  const meanings = (decodedDocuments = new DecodedDocuments(MEBIBYTE)) => new Meanings('article', { monitor, decodedDocuments }, decoder);
  const bytesOf = (id: string, title: unknown) => BSON.serialize({ _id: id, title });

  beforeEach(() => {
    decoded = [];
    told = [];
  });

  it('decodes a repeated document twice, and then returns the same object', () => {
    const known = meanings();
    const [, second, third] = [1, 2, 3].map(() => known.of([bytesOf('a', 'one')])[0]);
    expect(third).toBe(second);
    expect(decoded).toEqual([
      { _id: 'a', title: 'one' },
      { _id: 'a', title: 'one' },
    ]);
  });

  it('decodes a changed document again, whatever it was before', () => {
    const known = meanings();
    const titles = ['one', 'one', 'one', 'two', 'two', 'two', 'one', 'three'];
    expect(titles.map((title) => known.of([bytesOf('a', title)])[0])).toEqual(titles.map((title) => ({ title })));
  });

  it('does not confuse documents with the same beginning and end', () => {
    const known = meanings();
    const alike = ['x', 'y', 'z'].map((middle) => bytesOf('a'.repeat(300), `${'b'.repeat(300)}${middle}${'b'.repeat(300)}`));
    for (let time = 0; time < 3; time++) expect(known.of(alike).map(({ title }) => title[300])).toEqual(['x', 'y', 'z']);
  });

  it('leaves out invalid documents, and reports them each time', () => {
    const known = meanings();
    const broken = bytesOf('c', 'xMARKERx');
    broken.set(new Uint8Array(6).fill(0xff), Buffer.from(broken).indexOf('MARKER'));
    const found = [bytesOf('a', 'one'), bytesOf('b', 17), broken];
    expect([known.of(found), known.of(found)]).toEqual([[{ title: 'one' }], [{ title: 'one' }]]);
    expect(told).toEqual(['article b: title: wrong', 'article c: not UTF-8', 'article b: title: wrong', 'article c: not UTF-8']);
  });

  it('drops the least recently used documents if there are too many', () => {
    const known = meanings();
    const long = 'x'.repeat(10_000);
    const found = Array.from({ length: 1 + MEBIBYTE / long.length }, (_, index) => bytesOf(String(index), long));
    for (let time = 0; time < 2; time++) known.of(found);
    expect(decoded).toHaveLength(2 * found.length);
    known.of(found.slice(-10));
    expect(decoded).toHaveLength(2 * found.length);
    known.of(found.slice(0, 1));
    expect(decoded).toHaveLength(2 * found.length + 1);
  });

  it('keeps repeated documents while others occur once', () => {
    const known = meanings();
    const often = bytesOf('often', 'one');
    for (let time = 0; time < 2; time++) known.of([often]);
    for (let page = 0; page < 500; page++)
      known.of(Array.from({ length: 20 }, (_, index) => bytesOf(`${String(page)}-${String(index)}`, 'x'.repeat(1_000))));
    decoded = [];
    known.of([often]);
    expect(decoded).toEqual([]);
  });

  it('does not keep documents of more than 16 KiB', () => {
    const known = meanings();
    for (let time = 0; time < 3; time++) known.of([bytesOf('a', 'x'.repeat(16_384))]);
    expect(decoded).toHaveLength(3);
  });
});
