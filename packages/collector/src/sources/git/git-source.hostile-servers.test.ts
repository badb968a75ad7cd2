import { readdirSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { sampled } from '@vitrine/test-support';
import { GitFixture } from '../../../test/git/git-fixture.js';
import { band, commitOf, endlessly, HostileGitServer, idOf, packed, packet, packHead, type Behaviour } from '../../../test/git/hostile-git-server.js';
import type { GitSourceOptions } from './git-source.js';

const MEBIBYTE = 1_048_576;
const commit = commitOf('honest');
let refs = 0;

interface Attack {
  readonly behaviour: Behaviour;
  readonly limits?: GitSourceOptions['limits'];
  readonly timeoutMs?: number;
  readonly message: RegExp;
}

const repeating = (piece: Buffer) => (response: Parameters<NonNullable<Behaviour['sending']>>[0]) => {
  const timer = setInterval(() => response.write(piece), 20);
  response.on('close', () => {
    clearInterval(timer);
  });
};

const ATTACKS: Readonly<Record<string, Attack>> = {
  'a list of refs that is too long': {
    behaviour: {
      listing: (response) => {
        response.end(`${Array.from({ length: 2_000 }, () => String(packet(`${idOf(commit)} refs/heads/b${String(refs++)}\n`))).join('')}0000`);
      },
    },
    limits: { listing: { outputBytes: 65_536 } },
    message: /^git ls-remote printed more than 0\.0625 MiB and was stopped$/,
  },
  'a list of refs without end': {
    behaviour: { listing: (response) => endlessly(response, () => packet(`${idOf(commit)} refs/heads/${'b'.repeat(9_000)}${String(refs++)}\n`)) },
    limits: { listing: { memoryBytes: 64 * MEBIBYTE } },
    message:
      /^git ls-remote: fatal: (?:Out of memory|attempting to allocate).* \(git would need more than 64 MiB of memory for what the remote sends\)$/,
  },
  'a list of refs that stalls': {
    behaviour: { listing: () => undefined },
    timeoutMs: 500,
    message: /^git ls-remote printed nothing for 0\.5 s and was stopped$/,
  },
  'a pack without end': {
    behaviour: {
      sending: (response) => {
        response.write(band(1, packHead(1_000_000)));
        endlessly(response, () => band(1, packed({ type: 'blob', content: randomBytes(65_536) }, 0)));
      },
    },
    limits: { fetching: { fileBytes: MEBIBYTE } },
    message: /File too large.* \(the remote sends more than 1 MiB; to show so large a repository, clone it yourself and give the folder\)$/,
  },
  'a pack that stalls': {
    behaviour: { sending: (response) => response.write(band(1, packHead(2))) },
    timeoutMs: 500,
    message: /^git (?:ls-remote|fetch) printed nothing for 0\.5 s and was stopped$/,
  },
  'progress without end': {
    behaviour: { sending: repeating(band(2, Buffer.from('Compressing objects: 1%\r'))) },
    limits: { fetching: { totalMs: 1_000 } },
    message: /^git fetch took longer than 1 s and was stopped$/,
  },
  'an object that unpacks to much more than it takes': {
    behaviour: { commit: commitOf('x'.repeat(20 * MEBIBYTE)) },
    limits: { fetching: { memoryBytes: 32 * MEBIBYTE } },
    message: /^git fetch: .*attempting to allocate \d+ over limit.* \(git would need more than 32 MiB of memory for what the remote sends\)$/,
  },
};

describe('GitSource and a server that sends', () => {
  const server = new HostileGitServer();
  let fixture: GitFixture;
  let address: string;

  beforeAll(async () => {
    address = await server.start();
  });
  beforeEach(() => {
    fixture = new GitFixture();
    server.behaviour = {};
  });
  afterEach(() => {
    fixture.folder.remove();
  });
  afterAll(() => server.stop());

  const clones = () => readdirSync(fixture.path('clones'));
  const packs = () => readdirSync(join(fixture.path('clones'), clones()[0] ?? '', 'objects/pack'));

  it.each(sampled(Object.entries(ATTACKS), 6))(
    '%s ends in its limits, and leaves nothing behind',
    async (_, { behaviour, message, limits = {}, timeoutMs = 120_000 }) => {
      server.behaviour = behaviour;
      await expect(fixture.run(fixture.source(address, { limits, timeoutMs }))).rejects.toThrow(message);
      expect(clones()).toEqual([]);
      // The same with a clone and records of an earlier run.
      server.behaviour = {};
      await fixture.run(fixture.source(address));
      const [stored, before] = [fixture.store.contents(), packs()];
      server.behaviour = { ...behaviour, commit: behaviour.commit ?? commitOf('another') };
      await expect(fixture.run(fixture.source(address, { limits, timeoutMs }))).rejects.toThrow(message);
      expect([fixture.store.contents(), packs(), clones().length]).toEqual([stored, before, 1]);
      server.behaviour = {};
      expect(await fixture.run(fixture.source(address))).toMatchObject({ removed: 0, warnings: [] });
    },
  );

  it('another history each time replaces the records each time', async () => {
    for (const title of ['one', 'two']) {
      server.behaviour = { commit: commitOf(title) };
      await fixture.run(fixture.source(address));
      expect(fixture.branches()).toEqual({ [title]: 'main' });
    }
    expect(clones()).toHaveLength(1);
  });
});
