import { GitError, quotedLine, quotedReasons } from './git-process.js';

describe('quotedLine', () => {
  it('quotes the beginning of another machine’s message, without addresses and control characters', () => {
    expect(quotedLine(`remote: ask ada@example.org\u001b[31m ${'x'.repeat(200)}`)).toBe(`remote: ask  [31m ${'x'.repeat(61)}…`);
    expect(quotedLine(`fatal: remote error: ${'x'.repeat(200)}`)).toHaveLength(80);
  });

  it('quotes git’s own message up to its reason', () => {
    const line = "fatal: unable to access 'https://ada:pw@git.example/acme/widget.git/': Could not resolve host: git.example, says a long line";
    expect(quotedLine(line)).toBe(line.replace('ada:pw@', '…@'));
    expect(quotedLine('y'.repeat(5_000))).toHaveLength(300);
  });
});

const SSH_FAILED = 'fatal: Could not read from remote repository.';
const ADVICE = '\n\nPlease make sure you have the correct access rights\nand the repository exists.\n';

describe('quotedReasons', () => {
  it.each([
    ['ssh: connect to host git.example port 22: Connection refused', 'ssh: connect to host git.example port 22: Connection refused '],
    ['Host key verification failed.', 'Host key verification failed. '],
    ['kex_exchange_identification: read: Connection reset by peer', 'kex_exchange_identification: read: Connection reset by peer '],
    ['git@git.example: Permission denied (publickey).', expect.stringMatching(/Permission denied \(publickey\)\. $/)],
    ['Identity file /home/ada/.ssh/id not accessible: No such file', ''],
    ['Load key "~/.ssh/id": bad permissions', ''],
    ['ssh: cannot open /home/ada/.ssh/config', ''],
    ['x'.repeat(500), `${'x'.repeat(79)}… `],
  ])('quote the line of ssh before the one of git, without paths and addresses: %s', (line, shown) => {
    const reasons = quotedReasons(`Warning: added a key\r\n${line}\r\n${SSH_FAILED}${ADVICE}`);
    expect([reasons.slice(0, -SSH_FAILED.length), reasons.slice(-SSH_FAILED.length)]).toEqual([shown, SSH_FAILED]);
    expect(reasons).not.toContain('git@');
  });

  it('leave out other lines and progress messages', () => {
    expect(quotedReasons(`hello\nremote: Total 3\nremote: no\nhello\nfatal: early EOF\n`)).toBe('remote: no fatal: early EOF');
    expect(quotedReasons('hello\n')).toBe('');
  });
});

describe('GitError', () => {
  it('removes the credentials of an address from its message', () => {
    const { message } = new GitError('fatal: unable to access https://ada:s3cret@example.org/a.git/');
    expect(message).toBe('fatal: unable to access https://…@example.org/a.git/');
  });
});
