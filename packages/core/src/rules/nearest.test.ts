import { nearest } from './quotable.js';

describe('nearest', () => {
  it.each([
    ['aproved', 'approved'],
    ['APPROVED', 'approved'],
    ['soruces', 'sources'],
    ['service', 'services'],
    ['stroe', 'store'],
    ['prot', 'port'],
    ['ke', 'key'],
  ])('finds what %s means', (word, meant) => {
    expect(nearest(word, ['approved', 'sources', 'services', 'store', 'port', 'key'])).toBe(meant);
  });

  it.each(['banana', '', 'x', 'p'.repeat(100_000)])('finds nothing near %.10s', (word) => {
    expect(nearest(word, ['approved', 'sources', 'services', 'store'])).toBeNull();
  });

  it('prefers the first of equally near candidates', () => {
    expect(nearest('cat', ['bat', 'rat'])).toBe('bat');
  });
});
