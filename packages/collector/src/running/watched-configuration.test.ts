import { readFile } from 'node:fs/promises';
import type { Approvals, Config } from '@vitrine/config';
import { MINUTE, UnavailableError } from '@vitrine/core';
import { StandingClock } from '@vitrine/core/testing';
import { loadConfig } from '../configuration/load-config.js';
import { WatchedConfiguration, type WatchedFile } from './watched-configuration.js';
import type { WatchLog } from './news.js';

const configOf = (text: string): Config => loadConfig({ text, file: 'vitrine.yaml', env: {} });
const PLAIN = configOf('approved: [acme/widget]\n');

const naming = (...fullNames: readonly string[]): Approvals => ({
  approved: fullNames.map((fullName) => {
    const [owner = '', name = ''] = fullName.split('/');
    return { fullName, owner, name, forgeId: null };
  }),
  patterns: [],
});

class FakeFile implements WatchedFile {
  content: string | null = 'acme/widget';
  /** Ends a look that hangs. */
  release: (() => void) | null = null;
  hangs = false;
  looks = 0;
  parsed = 0;
  onContent: (content: Buffer) => void = () => undefined;

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
  readonly configOf = (content: Buffer): Config => {
    this.onContent(content);
    return PLAIN;
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
  const allowlist = new WatchedConfiguration(PLAIN, file, clock, log);
  const refs = (): readonly string[] => allowlist.approvals().approved.map(({ fullName }) => fullName);
  /** A second of its life. */
  const second = async (): Promise<void> => {
    const looked = allowlist.poll();
    await jest.advanceTimersByTimeAsync(3_001);
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
    const before = allowlist.approvals();
    file.content = 'acme/widget acme/gadget\n';
    await second();
    expect(allowlist.approvals()).toBe(before);
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
    expect(() => allowlist.approvals()).toThrow(UnavailableError);
    await second();
    await second();
    expect([said(CANNOT), said(OVER)]).toEqual([1, 1]);
    file.hangs = false;
    file.content = 'acme/gadget';
    file.release?.();
    await second();
    await second();
    expect(refs()).toEqual(['acme/gadget']);
    spoil(file);
    clock.set(21 * MINUTE);
    await second();
    expect([said(CANNOT), said(OVER)]).toEqual([2, 2]);
  });

  it('is over when nobody has looked for five minutes, as after a process stood still', async () => {
    const { clock, allowlist, second } = watched();
    await second();
    clock.set(5 * MINUTE + 1);
    expect(() => allowlist.approvals()).toThrow(UnavailableError);
    await second();
    expect(allowlist.approvals()).toMatchObject(naming('acme/widget'));
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
    expect(() => allowlist.approvals()).toThrow(UnavailableError);
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
    const file = { approvalsOf: () => naming('acme/widget'), configOf: () => PLAIN };
    const look = (read: WatchedFile['read']) => new WatchedConfiguration(PLAIN, { ...file, read }, new StandingClock(0), log, LOOK_MS).poll();
    const busy = look(() => readFile(__filename));
    // Blocks this thread, as a long piece of work does.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * LOOK_MS);
    await busy;
    expect(lines).toEqual([]);
    await look(() => new Promise(() => undefined));
    expect(lines).toEqual([expect.stringContaining('did not answer within')]);
  });
});

const FIRST = 'approved: [acme/widget]\nsources: [{records: news}]\n';
const SECOND = `${FIRST}services: [{key: "acme:api", name: API, check: self}]\n`;

function watchedSources() {
  const lines: string[] = [];
  let content = FIRST;
  const file = {
    read: () => Promise.resolve(Buffer.from(content)),
    approvalsOf: () => naming('acme/widget'),
    configOf: (read: Buffer) => configOf(read.toString()),
  };
  const sources = new WatchedConfiguration(configOf(FIRST), file, new StandingClock(0), writingTo(lines));
  let changes = 0;
  sources.onChange(() => (changes += 1));
  return {
    sources,
    /** Two looks find it. */
    take: async (text: string) => {
      content = text;
      await sources.poll();
      await sources.poll();
    },
    changes: () => changes,
    said: (text: string) => lines.filter((line) => line.includes(text)),
  };
}

describe('the watched sources', () => {
  it.each([
    ['a source is added', FIRST.replace('[{', '[{records: more}, {')],
    ['a source leaves', 'approved: [acme/widget]\n'],
    ['a source changes', FIRST.replace('news}', 'news, interval: 20s}')],
    ['a service is added', SECOND],
  ])('are those of the file when %s', async (_, text) => {
    const { sources, take, changes } = watchedSources();
    await take(text);
    const { sources: expected, services } = configOf(text);
    expect([changes(), sources.current()]).toMatchObject([1, { sources: expected, services }]);
  });

  it('do not change when nothing of them does', async () => {
    const { take, changes } = watchedSources();
    for (const text of [FIRST, `# a comment\n${FIRST}`, FIRST.replace('acme/widget', 'acme/widget, acme/gadget')]) await take(text);
    expect(changes()).toBe(0);
  });

  it.each(['servises: []\n', 'server: {port: x}\n', 'sources: [{git: .}]\n', 'approved: [\n'])(
    'stay as they were while the file has a problem, which is told once for each content: %j',
    async (mistake) => {
      const { sources, take, changes, said } = watchedSources();
      await take(SECOND);
      const before = sources.current();
      await take(`${FIRST}${mistake}`);
      expect([changes(), sources.current() === before, said('sources and services stay as they were').length]).toEqual([1, true, 1]);
      await take(FIRST);
      expect([changes(), sources.current().services, said('no problems any more').length]).toEqual([2, [], 1]);
    },
  );

  it('leave out the source of a repository that is not approved, with one warning and one line at its end', async () => {
    const { sources, take, said } = watchedSources();
    const git = (name: string) => `approved: [${name}]\nsources: [{git: ., repository: acme/gadget, url: "https://acme.example/g"}]\n`;
    await take(git('acme/widget'));
    await take(`${git('acme/widget')}# the same\n`);
    expect([sources.current().sources, said('is not approved, so this source is skipped').length]).toEqual([[], 1]);
    await take(git('acme/gadget'));
    expect(sources.current().sources).toMatchObject([{ ref: 'acme/gadget' }]);
    await take(`${git('acme/gadget')}# the same\n`);
    expect(said('this warning is over')).toEqual([expect.stringContaining('is not approved, so this source is skipped')]);
    await take(git('acme/widget'));
    expect(said('a source is skipped').length).toBe(2);
  });

  it('tell once which changed keys wait for a restart', async () => {
    const { take, changes, said } = watchedSources();
    const changed = `${FIRST}server: {port: 81}\nstore: {path: elsewhere}\nlimits: false\n`;
    await take(changed);
    await take(`${changed}# the same\n`);
    expect([changes(), said('restart this process to apply them')]).toEqual([0, [expect.stringContaining('["server","limits","store"]')]]);
  });
  it.each([
    'title: Acme',
    'logo: logo.svg',
    'accent: "#2f5bd0"',
    'links: [{label: A, url: "https://a.example"}]',
    'language: de',
    'timeZone: Europe/Berlin',
  ])('tell that a change of the pages waits for a restart: %s', async (line) => {
    const { take, said } = watchedSources();
    await take(`${FIRST}site: {${line}}\n`);
    expect(said('restart this process to apply them')).toEqual([expect.stringContaining('["site"]')]);
  });
});
