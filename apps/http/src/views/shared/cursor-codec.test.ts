import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { decodeCursor, encodeCursor, periodCodec, nameCodec, searchCodec, timeCodec, type CursorScope, type PositionCodec } from './cursors.js';
import { Refusal } from '../../serving/errors.js';

interface Vector {
  readonly codec: 'time' | 'name' | 'search' | 'day';
  readonly scope: CursorScope;
  readonly position: unknown;
  readonly cursor: string;
}

const codecs: Readonly<Record<Vector['codec'], PositionCodec<unknown>>> = {
  time: timeCodec as PositionCodec<unknown>,
  name: nameCodec as PositionCodec<unknown>,
  search: searchCodec as PositionCodec<unknown>,
  day: periodCodec as PositionCodec<unknown>,
};
const vectors = JSON.parse(
  readFileSync(join(__dirname, '../../../../../packages/core/src/testing/vectors/cursors.json'), 'utf8'),
) as readonly Vector[];

const scope: CursorScope = { endpoint: 'listCommits', filters: { branch: 'main', author: null } };
const position = { time: 1_795_183_160_000, id: 'acme/widget@9f1c2d3e4b5a69788796a5b4c3d2e1f001122334 224b0d0c656cc54e' };
const cursor = encodeCursor(timeCodec, scope, position);

function codeOf(text: string, asked: CursorScope = scope): string {
  try {
    decodeCursor(timeCodec, asked, text);
    return 'taken';
  } catch (error) {
    return error instanceof Refusal ? JSON.stringify(error) : String(error);
  }
}

describe('a cursor', () => {
  it.each(vectors)('of $scope.endpoint is the published text', ({ codec, scope: own, position: held, cursor: text }) => {
    expect(encodeCursor(codecs[codec], own, held)).toBe(text);
    expect(decodeCursor(codecs[codec], own, text)).toEqual(held);
  });

  it('decodes every encoded position to itself', () => {
    const instants = fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 });
    const ids = fc.string({ minLength: 1, maxLength: 290, unit: fc.constantFrom(...'abcXYZ019/@.~-%') });
    fc.assert(
      fc.property(instants, ids, (time, id) => {
        const text = encodeCursor(timeCodec, scope, { time, id });
        expect(text).toMatch(/^[A-Za-z0-9_-]{20,512}$/);
        expect(decodeCursor(timeCodec, scope, text)).toEqual({ time, id });
      }),
    );
  });

  it('is rejected with the same response for every flipped bit, truncation and suffix', () => {
    const bytes = Buffer.from(cursor, 'base64url');
    const flipped = [...Array(bytes.length * 8).keys()].map((bit) => {
      const copy = Buffer.from(bytes);
      copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      return copy.toString('base64url');
    });
    const truncated = [...Array(cursor.length).keys()].map((length) => cursor.slice(0, length));
    const suffixed = ['!', 'A', '=', '==', ' ', '\n', 'AAAA'].map((suffix) => cursor + suffix);
    const answers = new Set([...flipped, ...truncated, ...suffixed, 'x'.repeat(513)].map((text) => codeOf(text)));
    expect(answers.size).toBe(1);
    expect([...answers][0]).not.toBe('taken');
  });

  it('is valid only for its endpoint and its filters', () => {
    const message = (own: CursorScope): unknown => {
      try {
        return decodeCursor(timeCodec, own, cursor);
      } catch (error) {
        return (error as Refusal).violations[0]?.code;
      }
    };
    expect(message({ ...scope, endpoint: 'listReleases' })).toBe('INVALID_CURSOR');
    expect(message({ ...scope, filters: { branch: 'next', author: null } })).toBe('CURSOR_MISMATCH');
  });
});
