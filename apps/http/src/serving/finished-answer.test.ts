import zlib, { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { CodedBody, FinishedAnswer, type AnswerParts } from './finished-answer.js';

const LONG_TEXT = JSON.stringify({ data: 'Grüße aus Ōsaka. '.repeat(200) });
const TAG = 'W/"abc"';

function anAnswer(parts: Partial<AnswerParts> = {}): FinishedAnswer {
  return new FinishedAnswer({
    type: 'application/json',
    text: LONG_TEXT,
    cacheControl: 'public, max-age=30',
    link: '</openapi.json>; rel="service-desc"',
    etag: TAG,
    ...parts,
  });
}

describe('a finished answer', () => {
  it('has the headers of a 304, and beside them the type of its body', () => {
    const answer = anAnswer({ headers: { 'Surrogate-Key': '0a1b2c3d' } });
    const validators = [
      ...['Cache-Control', 'public, max-age=30'],
      ...['Link', '</openapi.json>; rel="service-desc"'],
      ...['Vary', 'Accept-Encoding'],
      ...['ETag', TAG],
      ...['Surrogate-Key', '0a1b2c3d'],
    ];
    expect(answer.validators).toEqual(validators);
    expect(answer.headers).toEqual(['Content-Type', 'application/json', ...validators]);
  });

  it('without an entity tag has no ETag, and no client has it already', () => {
    const answer = anAnswer({ etag: null });
    expect(answer.headers).not.toContain('ETag');
    expect([TAG, '*', undefined].map((tags) => answer.isKnownTo({ 'if-none-match': tags }))).toEqual([false, false, false]);
  });

  it('is known to a client that names its tag', () => {
    const known = [TAG, '"abc"', '"other", W/"abc"', '*', '"other"', '', undefined].map((tags) => anAnswer().isKnownTo({ 'if-none-match': tags }));
    expect(known).toEqual([true, true, true, true, false, false, false]);
  });

  it('keeps its text in UTF-8, in a buffer that is no larger', () => {
    for (const text of ['', '{}', LONG_TEXT]) {
      const { body, bytes } = anAnswer({ text });
      expect([body.toString(), bytes, body.buffer.byteLength]).toEqual([text, Buffer.byteLength(text), Buffer.byteLength(text)]);
    }
  });
});

describe('the body of a finished answer', () => {
  it('is sent in the coding that the client prefers, and holds the text in each', async () => {
    const answer = anAnswer();
    const bodies = await Promise.all(['gzip', 'br', 'identity', undefined].map((accepted) => answer.bodyFor({ 'accept-encoding': accepted })));
    expect(bodies.map(({ coding }) => coding)).toEqual(['gzip', 'br', 'identity', 'identity']);
    const [zipped, brotli, plain, unasked] = bodies.map(({ bytes }) => bytes);
    const texts = [gunzipSync(zipped ?? ''), brotliDecompressSync(brotli ?? ''), plain, unasked].map(String);
    expect(texts).toEqual([LONG_TEXT, LONG_TEXT, LONG_TEXT, LONG_TEXT]);
  });

  it('is made once in each coding', () => {
    const answer = anAnswer();
    for (const accepted of ['gzip', 'br', 'identity']) {
      const [first, again] = [answer.bodyFor({ 'accept-encoding': accepted }), answer.bodyFor({ 'accept-encoding': accepted })];
      expect(again).toBe(first);
    }
  });

  it('is sent as it is below 1,024 bytes, and is not counted twice', () => {
    const answer = anAnswer({ text: 'x'.repeat(1_023) });
    let growths = 0;
    answer.onGrowth = () => (growths += 1);
    expect(answer.bodyFor({ 'accept-encoding': 'br' })).toEqual(new CodedBody('identity', answer.body, answer.headers));
    expect([answer.bytes, growths]).toEqual([1_023, 0]);
  });

  it('is sent as it is while there is no memory to compress it, and compressed later', async () => {
    const answer = anAnswer();
    const failing = jest.spyOn(zlib, 'gzipSync').mockImplementation(() => {
      throw new RangeError('Insufficient memory');
    });
    const first = await answer.bodyFor({ 'accept-encoding': 'gzip' });
    failing.mockRestore();
    const next = await answer.bodyFor({ 'accept-encoding': 'gzip' });
    expect([first.coding, next.coding]).toEqual(['identity', 'gzip']);
  });

  it('counts the bytes of each coding, and tells when one is added', async () => {
    const answer = anAnswer();
    const growths: number[] = [];
    answer.onGrowth = () => growths.push(answer.bytes);
    const zipped = await answer.bodyFor({ 'accept-encoding': 'gzip' });
    await answer.bodyFor({ 'accept-encoding': 'gzip' });
    await answer.bodyFor({});
    const brotli = await answer.bodyFor({ 'accept-encoding': 'br' });
    const [plain, first] = [answer.body.length, answer.body.length + zipped.bytes.length];
    expect(growths).toEqual([first, first + brotli.bytes.length]);
    expect(answer.bytes).toBeGreaterThan(plain);
  });

  it('is compressed once for simultaneous requests if it is long, and then sent at once', async () => {
    const text = 'a long text '.repeat(10_000);
    const answer = anAnswer({ text });
    const growths: number[] = [];
    answer.onGrowth = () => growths.push(answer.bytes);
    const requests = Array.from({ length: 10 }, () => answer.bodyFor({ 'accept-encoding': 'gzip' }));
    expect(requests[0]).toHaveProperty('then');
    expect(answer.bytes).toBe(answer.body.length);
    const bodies = await Promise.all(requests);
    expect(new Set(bodies).size).toBe(1);
    const [body] = bodies;
    expect(gunzipSync(body?.bytes ?? '').toString()).toBe(text);
    expect(answer.bodyFor({ 'accept-encoding': 'gzip' })).toBe(body);
    expect(growths).toEqual([answer.body.length + (body?.bytes.length ?? 0)]);
  });
});
