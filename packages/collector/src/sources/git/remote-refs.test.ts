import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TemporaryFolder } from '../../../test/git/temporary-repository.js';
import { asksForFetch, branchInHead, parseRemote } from './git-refs.js';

const [A, B, C] = ['a', 'b', 'c'].map((digit) => digit.repeat(40)) as [string, string, string];

describe('parseRemote', () => {
  it('reads branches, tags and the branch of HEAD, and nothing else', () => {
    const remote = parseRemote(
      `ref: refs/heads/dev\tHEAD\n${A}\tHEAD\n${A}\trefs/heads/dev\n${B}\trefs/pull/1/head\n${B}\trefs/tags/v1\n${C}\trefs/tags/v1^{}\n`,
    );
    expect(remote).toEqual({
      head: 'refs/heads/dev',
      detachedHead: null,
      refs: new Map([
        ['refs/heads/dev', A],
        ['refs/tags/v1', B],
      ]),
      tooLong: [],
      objectFormat: 'sha1',
    });
  });

  it('reads a name with any character that git allows, such as a line separator', () => {
    const name = 'refs/heads/a\u2028b';
    expect(parseRemote(`${A}\t${name}\n${B}\trefs/heads/c\n`).refs).toEqual(
      new Map([
        [name, A],
        ['refs/heads/c', B],
      ]),
    );
  });

  it('guesses the branch of HEAD if an old server does not report it', () => {
    expect(parseRemote(`${A}\tHEAD\n${B}\trefs/heads/a\n${A}\trefs/heads/b\n${A}\trefs/heads/master\n`).head).toBe('refs/heads/master');
    expect(parseRemote(`${A}\tHEAD\n${B}\trefs/heads/a\n${A}\trefs/heads/b\n`).head).toBe('refs/heads/b');
  });

  it('reads a detached HEAD, an empty repository, and sha256 names', () => {
    expect(parseRemote(`${C}\tHEAD\n${B}\trefs/heads/a\n`)).toMatchObject({ head: null, detachedHead: C });
    expect(parseRemote('')).toEqual({ head: null, detachedHead: null, refs: new Map(), tooLong: [], objectFormat: 'sha1' });
    expect(parseRemote(`${'d'.repeat(64)}\trefs/heads/a\n`).objectFormat).toBe('sha256');
  });
});

describe('asksForFetch', () => {
  const remote = parseRemote(`${A}\trefs/heads/a\n${B}\trefs/heads/b\n`);

  it('fetches only if a branch or a tag is new, moved or deleted', () => {
    const own = (entries: [string, string][]) => asksForFetch(remote, new Map(entries));
    expect(
      own([
        ['refs/heads/b', B],
        ['refs/heads/a', A],
      ]),
    ).toBe(false);
    expect(own([['refs/heads/a', A]])).toBe(true);
    expect(
      own([
        ['refs/heads/a', A],
        ['refs/heads/b', C],
      ]),
    ).toBe(true);
    expect(
      own([
        ['refs/heads/a', A],
        ['refs/heads/b', B],
        ['refs/tags/c', C],
      ]),
    ).toBe(true);
  });
});

describe('branchInHead', () => {
  it('reads the branch of HEAD, and leaves to git what the file does not tell', async () => {
    const folder = new TemporaryFolder();
    expect(await branchInHead(folder.path)).toBeNull();
    const branches: Record<string, string | null> = {
      'ref: refs/heads/topic/ä': 'refs/heads/topic/ä',
      // A detached HEAD.
      [A]: null,
      'ref: refs/remotes/origin/main': null,
      // What the file says if the repository stores its refs in tables.
      'ref: refs/heads/.invalid': null,
    };
    for (const [text, branch] of Object.entries(branches)) {
      writeFileSync(join(folder.path, 'HEAD'), `${text}\n`);
      expect(await branchInHead(folder.path)).toBe(branch);
    }
    folder.remove();
  });
});
