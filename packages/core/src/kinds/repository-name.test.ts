import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { asciiLowerCase, isForgeId, isRepositoryRef, nameOfRef, parseRepositoryName, repositoryRefOf } from './repository-name.js';

interface Vectors {
  readonly names: readonly { text: string; ref: string | null }[];
  readonly refs: readonly { ref: unknown; valid: boolean }[];
}
const vectors = JSON.parse(readFileSync(join(__dirname, '../testing/vectors/repository-names.json'), 'utf8')) as Vectors;

describe('parseRepositoryName', () => {
  it('reads texts as the vectors say', () => {
    const read = vectors.names.map((vector) => {
      const name = parseRepositoryName(vector.text);
      return name === null ? { ...vector, ref: null } : { ...vector, text: `${name.owner}/${name.name}`, ref: repositoryRefOf(name, null) };
    });
    expect(read).toEqual(vectors.names);
  });
});

describe('isRepositoryRef', () => {
  it('takes the refs that the vectors call valid', () => {
    expect(vectors.refs.map((vector) => ({ ...vector, valid: isRepositoryRef(vector.ref) }))).toEqual(vectors.refs);
  });

  it('accepts exactly what is minted', () => {
    const part = fc.stringMatching(/^[A-Za-z0-9._-]{1,12}$/).filter((text) => text !== '.' && text !== '..');
    const forgeId = fc.option(fc.stringMatching(/^[A-Za-z0-9_.:=-]{1,64}$/));
    fc.assert(
      fc.property(part, part, forgeId, (owner, name, id) => {
        const ref = repositoryRefOf({ fullName: `${owner}/${name}`, owner, name }, id);
        expect(isRepositoryRef(ref)).toBe(true);
        expect(nameOfRef(ref)).toBe(asciiLowerCase(`${owner}/${name}`));
      }),
    );
  });

  it('accepts nothing else', () => {
    const isMinted = (text: string): boolean => {
      const [fullName = '', ...ids] = text.split('#');
      const name = parseRepositoryName(fullName);
      return name !== null && ids.length <= 1 && ids.every(isForgeId) && repositoryRefOf(name, ids[0] ?? null) === text;
    };
    const alike = fc.string({ unit: fc.constantFrom('a', 'A', '.', '/', '#', '-', ':', '1', '\n'), maxLength: 8 });
    const long = fc.nat(110).map((length) => `${'a'.repeat(length)}/${'b'.repeat(110 - length)}`);
    fc.assert(fc.property(fc.oneof(alike, long), (text) => isRepositoryRef(text) === isMinted(text)));
  });
});

describe('asciiLowerCase', () => {
  it.each([
    ['ABCxyzÄ', 'abcxyzÄ'],
    ['\u212a', '\u212a'],
    ['İ', 'İ'],
    ['АСМЕ', 'АСМЕ'],
  ])('of %s is %s', (text, lower) => {
    expect(asciiLowerCase(text)).toBe(lower);
  });
});

describe('isForgeId', () => {
  it.each([
    ['1', true],
    ['R_kgDO=', true],
    ['', false],
    ['a#b', false],
    ['a/b', false],
    ['ü', false],
  ])('of %s is %p', (text, isOne) => {
    expect(isForgeId(text)).toBe(isOne);
  });
});
