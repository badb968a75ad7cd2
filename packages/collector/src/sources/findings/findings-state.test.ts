import { isTorture, sampled } from '@vitrine/test-support';
import { parseFindingsState, writeFindingsState, type FollowedFinding } from './findings-state.js';

describe('the state of a source of findings', () => {
  const finding = (number: number, commits: number): FollowedFinding => ({
    id: `acme/widget@b${number}:fix`,
    branch: `b${number}`,
    changeType: 'fix',
    count: commits,
    own: 'x',
    tip: 'f'.repeat(40),
    bases: [],
    squash: { patch: 'p', key: 'k' },
    held: [],
    commits: Array.from({ length: commits }, (_, index) => ({
      sha: index.toString(16).padStart(40, '0'),
      patch: 'a'.repeat(40),
      key: 'k'.repeat(16),
    })),
  });

  it('is read as it was written', () => {
    const state = { digest: 'd', shape: 's', folder: 'refs/heads/', findings: [finding(1, 2), finding(2, 0)] };
    expect(parseFindingsState(writeFindingsState(state))).toEqual(state);
  });

  it.each([null, '', '{}', '{"digest":1}', '[]'])('counts as none if it is %j', (text) => {
    expect(parseFindingsState(text)).toBeNull();
  });

  it.each<readonly [string, number, Partial<FollowedFinding>]>(
    sampled(
      [
        [
          'commits that hold them',
          isTorture ? 3_000 : 1_700,
          { held: Array.from({ length: 100 }, (_, index) => index.toString(16).padStart(64, '0')) },
        ],
        ['bytes of their names', 5_000, { branch: 'ü'.repeat(2_000) }],
        [
          'places where they began',
          isTorture ? 200 : 80,
          { bases: Array.from({ length: 2_000 }, (_, index) => index.toString(16).padStart(64, '0')) },
        ],
      ],
      2,
    ),
  )('stays below the size of a stored document, however many %s %d findings have', (_, count, over) => {
    const findings = Array.from({ length: count }, (_finding, number) => ({ ...finding(number, 3), ...over }));
    const text = writeFindingsState({ digest: '', shape: '', folder: '', findings });
    expect(Buffer.byteLength(text)).toBeLessThan(10_000_000);
    const kept = parseFindingsState(text)?.findings ?? [];
    expect(kept.length).toBeGreaterThan(50);
    expect(kept[0]).toEqual(findings[0]);
    // What is shortened could be mistaken for the whole.
    for (const { held, bases } of kept) expect([held.length % 100, bases.length % 2_000]).toEqual([0, 0]);
  });

  it('stays below the size of a stored document', () => {
    const one = finding(0, 20);
    const findings = Array.from({ length: 6_000 }, (_, number) => ({ ...one, id: `acme/widget@b${number}:fix` }));
    const text = writeFindingsState({ digest: '', shape: '', folder: '', findings });
    expect(text.length).toBeLessThan(8_000_000);
    expect(parseFindingsState(text)?.findings).toHaveLength(5_000);
    const [long] = parseFindingsState(writeFindingsState({ digest: '', shape: '', folder: '', findings: [finding(1, 500)] }))?.findings ?? [];
    expect(long).toMatchObject({ count: 500, commits: [] });
  });
});
