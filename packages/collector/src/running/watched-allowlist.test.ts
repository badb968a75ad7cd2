import { readFile } from 'node:fs/promises';
import type { Approvals } from '@vitrine/config';
import { MINUTE, UnavailableError } from '@vitrine/core';
import { StandingClock } from '@vitrine/core/testing';
import { WatchedAllowlist, type AllowlistFile } from './watched-allowlist.js';
import type { WatchLog } from './watch-log.js';

const naming = (...fullNames: readonly string[]): Approvals => ({
  approved: fullNames.map((fullName) => {
    const [owner = '', name = ''] = fullName.split('/');
    return { fullName, owner, name, forgeId: null };
  }),
  patterns: [],
});

class FakeFile implements AllowlistFile {
  content: string | null = 'acme/widget';
  /** Ends a look that hangs. */
  release: (() => void) | null = null;
  hangs = false;
  looks = 0;
  parsed = 0;
  onContent?: (content: Buffer) => void;

  readonly read = async (): Promise<Buffer> => {
    this.looks += 1;
    if (this.hangs) await new Promise<void>((resolve) => (this.release = resolve));
    if (this.content === null) throw new Error('EMFILE');
    return Buffer.from(this.content);
  };
  readonly approvalsOf = (content: Buffer): Approvals => {
    this.parsed += 1;
    if (content.length === 0) throw new Error('has no allowlist');
    return naming(...content.toString().trim().split(' '));
  };
}

/** A log that adds each call as one line of JSON. */
function writingTo(lines: string[]): WatchLog {
  const write = (facts: object, sentence: string) => void lines.push(JSON.stringify({ ...facts, sentence }));
  return { info: write, warn: write, error: write };
}

function watched() {
  const file = new FakeFile();
  const clock = new StandingClock(0);
  const lines: string[] = [];
  const log = writingTo(lines);
  const allowlist = new WatchedAllowlist(naming('acme/widget'), file, clock, log);
  const refs = (): readonly string[] => allowlist.current().approved.map(({ fullName }) => fullName);
  /** A second of its life. */
  const second = async (): Promise<void> => {
    const looked = allowlist.poll();
    await jest.advanceTimersByTimeAsync(3_000);
    await looked;
  };
  return { file, clock, allowlist, refs, second, said: (text: string) => lines.filter((line) => line.includes(text)).length };
}

const CANNOT = 'the last good one serves for 5 minutes';
const OVER = 'answered with 503';

describe('the watched allowlist', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('swaps the list when the content changes', async () => {
    const { file, refs, second } = watched();
    await second();
    file.content = 'acme/gadget';
    await second();
    expect(refs()).toEqual(['acme/gadget']);
  });

  it('keeps the list when the entries are the same', async () => {
    const { file, allowlist, second } = watched();
    file.content = 'acme/widget acme/gadget';
    await second();
    const before = allowlist.current();
    file.content = 'acme/widget acme/gadget\n';
    await second();
    expect(allowlist.current()).toBe(before);
  });

  it('judges a content once, one that can be used and one that cannot', async () => {
    const { file, second, said } = watched();
    for (let times = 0; times < 3; times++) await second();
    expect(file.parsed).toBe(1);
    file.content = '';
    for (let times = 0; times < 3; times++) await second();
    expect([file.parsed, said(CANNOT)]).toEqual([2, 1]);
    file.content = 'acme/widget';
    await second();
    expect([file.parsed, said('can be read again')]).toEqual([3, 1]);
  });

  it('hands each new content on when two looks have found it and its list can be used, so no half-written file', async () => {
    const { file, refs, second } = watched();
    const heard: string[] = [];
    file.onContent = (content) => heard.push(`${content.toString()}: ${refs().join(' ')}`);
    const written = ['acme/widget', 'acme/widget', 'acme/widget', 'acme/gad', 'acme/widget', '', '', 'acme/wid', 'acme/gadget', null, 'acme/gadget'];
    for (const content of written) {
      file.content = content;
      await second();
    }
    // What was heard before, and comes back after a half-written file, is heard again.
    expect(heard).toEqual(['acme/widget: acme/widget', 'acme/gadget: acme/gadget']);
  });

  it.each([
    ['cannot be read', (file: FakeFile) => (file.content = null)],
    ['is empty', (file: FakeFile) => (file.content = '')],
    ['hangs', (file: FakeFile) => (file.hangs = true)],
  ])('serves the last good list for five minutes after the last good look while the file %s, then nothing', async (_what, spoil) => {
    const { file, clock, allowlist, refs, second, said } = watched();
    clock.set(10 * MINUTE);
    await second();
    spoil(file);
    clock.set(12 * MINUTE);
    await second();
    clock.set(15 * MINUTE);
    await second();
    expect([refs(), said(CANNOT), said(OVER)]).toEqual([['acme/widget'], 1, 0]);
    clock.set(15 * MINUTE + 1);
    expect(() => allowlist.current()).toThrow(UnavailableError);
    await second();
    await second();
    expect([said(CANNOT), said(OVER)]).toEqual([1, 1]);
    file.hangs = false;
    file.content = 'acme/gadget';
    file.release?.();
    await second();
    await second();
    expect(refs()).toEqual(['acme/gadget']);
  });

  it('is over when nobody has looked for five minutes, as after a process stood still', async () => {
    const { clock, allowlist, second } = watched();
    await second();
    clock.set(5 * MINUTE + 1);
    expect(() => allowlist.current()).toThrow(UnavailableError);
    await second();
    expect(allowlist.current()).toEqual(naming('acme/widget'));
  });

  it('begins no second look while one hangs, and waits for none when it is stopped', async () => {
    const { file, allowlist } = watched();
    file.hangs = true;
    allowlist.start();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(file.looks).toBe(1);
    allowlist.stop();
    file.release?.();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(file.looks).toBe(1);
  });

  it('takes what a look found at last, as old as its beginning', async () => {
    const { file, clock, allowlist, refs, second } = watched();
    file.hangs = true;
    await second();
    clock.set(4 * MINUTE);
    file.content = 'acme/gadget';
    file.release?.();
    file.hangs = false;
    await jest.advanceTimersByTimeAsync(0);
    expect(refs()).toEqual(['acme/gadget']);
    clock.set(5 * MINUTE + 1);
    expect(() => allowlist.current()).toThrow(UnavailableError);
  });

  it('looks at once and then every second, so that a change is seen in time', async () => {
    const { file, allowlist, refs } = watched();
    allowlist.start();
    await jest.advanceTimersByTimeAsync(10);
    expect(file.looks).toBe(1);
    file.content = 'acme/gadget';
    await jest.advanceTimersByTimeAsync(1_000);
    expect(refs()).toEqual(['acme/gadget']);
    allowlist.stop();
  });
});

describe('a look of the watched allowlist', () => {
  const LOOK_MS = 150;

  it('has failed if the file does not answer in time, and not if the process was busy for that time', async () => {
    const lines: string[] = [];
    const log = writingTo(lines);
    const look = (read: AllowlistFile['read']) =>
      new WatchedAllowlist(naming('acme/widget'), { read, approvalsOf: () => naming('acme/widget') }, new StandingClock(0), log, LOOK_MS).poll();
    const busy = look(() => readFile(__filename));
    // Blocks this thread, as a long piece of work does.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * LOOK_MS);
    await busy;
    expect(lines).toEqual([]);
    await look(() => new Promise(() => undefined));
    expect(lines).toEqual([expect.stringContaining('did not answer within')]);
  });
});
