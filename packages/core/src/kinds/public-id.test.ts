import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { isPublicId, publicId } from './identity.js';

const vectors = JSON.parse(readFileSync(join(__dirname, '../testing/vectors/public-ids.json'), 'utf8')) as {
  readonly ids: readonly { text: string; id: string }[];
  readonly notIds: readonly string[];
};
const sha256Hex = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

describe('publicId', () => {
  it('of a text is that of the vectors', () => {
    expect(vectors.ids.map((vector) => ({ ...vector, id: publicId(vector.text, sha256Hex) }))).toEqual(vectors.ids);
  });

  it('makes a public id of any text, also of one with broken surrogates', () => {
    const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 1, maxLength: 250 });
    fc.assert(fc.property(units, (list) => isPublicId(publicId(String.fromCharCode(...list), sha256Hex))));
  });

  it('tells long texts with the same beginning apart', () => {
    expect(publicId(`${'a'.repeat(300)}1`, sha256Hex)).not.toBe(publicId(`${'a'.repeat(300)}2`, sha256Hex));
  });
});

describe('isPublicId', () => {
  it.each([...vectors.notIds, 'a'.repeat(201)])('refuses %p', (text) => {
    expect(isPublicId(text)).toBe(false);
  });

  it.each(['...', '.a', 'a.', '..a', 'a/..', '%2E'])('takes %p, which has an address of its own', (text) => {
    expect(isPublicId(text)).toBe(true);
  });
});
