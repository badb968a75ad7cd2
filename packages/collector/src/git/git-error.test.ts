import { GitError, quotedLine } from './git-error.js';

describe('quotedLine', () => {
  it('quotes the beginning of what another machine says, without addresses and control characters', () => {
    expect(quotedLine(`remote: ask ada@example.org\u001b[31m ${'x'.repeat(200)}`)).toBe(`remote: ask  [31m ${'x'.repeat(61)}…`);
    expect(quotedLine(`fatal: remote error: ${'x'.repeat(200)}`)).toHaveLength(80);
  });

  it('quotes what git says itself up to what is wrong', () => {
    const line = "fatal: unable to access 'https://ada:pw@git.example/acme/widget.git/': Could not resolve host: git.example, says a long line";
    expect(quotedLine(line)).toBe(line.replace('ada:pw@', ''));
    expect(quotedLine('y'.repeat(5_000))).toHaveLength(300);
  });
});

describe('GitError', () => {
  it('knows all that git said, and shows the message alone', () => {
    const error = new GitError('git fetch: fatal', 128, 'fatal, because https://ada:pw@git.example is corrupt');
    expect([error.says(/corrupt/), error.says(/missing/), JSON.stringify(error).includes('pw@')]).toEqual([true, false, false]);
    expect(error.message).toBe('git fetch: fatal');
  });

  it('removes the credentials of an address from its message', () => {
    const { message } = new GitError('fatal: unable to access https://ada:s3cret@example.org/a.git/');
    expect(message).toBe('fatal: unable to access https://example.org/a.git/');
  });
});
