import { MINUTE, UnavailableError, type AllowlistEntry } from '@vitrine/core';
import { StandingClock } from '@vitrine/core/testing';
import { pino } from 'pino';
import { WatchedAllowlist, type AllowlistFile } from './watched-allowlist.js';

const entry = (fullName: string): AllowlistEntry => {
  const [owner = '', name = ''] = fullName.split('/');
  return { fullName, owner, name, forgeId: null };
};

class FakeFile implements AllowlistFile {
  entries: readonly AllowlistEntry[] | null = [entry('acme/widget')];
  version = 1;
  reads = 0;

  readonly stamp = (): Promise<string> => Promise.resolve(String(this.version));
  readonly read = (): Promise<readonly AllowlistEntry[]> => {
    this.reads += 1;
    return this.entries === null ? Promise.reject(new Error('unreadable')) : Promise.resolve(this.entries);
  };
}

function watched() {
  const file = new FakeFile();
  const clock = new StandingClock(0);
  const allowlist = new WatchedAllowlist([entry('acme/widget')], file, clock, pino({ enabled: false }));
  const refs = (): readonly string[] => allowlist.current().refs;
  return { file, clock, allowlist, refs };
}

describe('the watched allowlist', () => {
  it('swaps the list when the file changes, with a new revision', async () => {
    const { file, allowlist, refs } = watched();
    await allowlist.poll();
    const before = allowlist.current();
    file.entries = [entry('acme/gadget')];
    file.version += 1;
    await allowlist.poll();
    expect(refs()).toEqual(['acme/gadget']);
    expect(allowlist.current().revision).not.toBe(before.revision);
  });

  it('keeps list and revision when the content is the same', async () => {
    const { file, allowlist } = watched();
    await allowlist.poll();
    const before = allowlist.current();
    file.version += 1;
    await allowlist.poll();
    expect(allowlist.current()).toBe(before);
  });

  it('reads the file again only when it may have changed', async () => {
    const { file, allowlist } = watched();
    await allowlist.poll();
    await allowlist.poll();
    await allowlist.poll();
    expect(file.reads).toBe(1);
  });

  it('serves the last good list for five minutes while the file cannot be used, then nothing', async () => {
    const { file, clock, allowlist, refs } = watched();
    file.entries = null;
    await allowlist.poll();
    clock.set(5 * MINUTE);
    await allowlist.poll();
    expect(refs()).toEqual(['acme/widget']);
    clock.set(5 * MINUTE + 1);
    expect(() => allowlist.current()).toThrow(UnavailableError);
    file.entries = [entry('acme/gadget')];
    await allowlist.poll();
    expect(refs()).toEqual(['acme/gadget']);
  });
});
