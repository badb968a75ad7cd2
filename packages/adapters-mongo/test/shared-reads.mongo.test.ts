import { Allowlist, UnavailableError, type RepositoryReader, type RepositoryRef } from '@vitrine/core';
import { aRepositoryRecord, NOW, StandingClock } from '@vitrine/core/testing';
import { describeMongo } from '@vitrine/test-support';
import type { MongoClient } from 'mongodb';
import { openMongoStore } from '../src/index.js';
import { commandsOf } from './support/explained.js';

const context = { signal: new AbortController().signal };
const [a, b, c, missing] = ['team/a', 'team/b', 'team/c', 'team/missing'] as const;

describeMongo('repositories that several requests read at the same time', (databases) => {
  let client: MongoClient;
  let repositories: RepositoryReader;
  let put: (repositoryRef: RepositoryRef, defaultBranch: string) => Promise<unknown>;
  const approved = Allowlist.of(a, b, c, missing).approved();

  beforeAll(async () => {
    client = await databases.connect({ monitorCommands: true });
    const { readers, writer } = openMongoStore(client.db((await databases.database()).databaseName), { clock: new StandingClock(NOW) });
    repositories = readers.repositories;
    put = (repositoryRef, defaultBranch) => writer.put([aRepositoryRecord({ repositoryRef, defaultBranch })], context);
    for (const ref of [a, b, c]) await put(ref, 'main');
  });

  const refsOf = async (refs: readonly RepositoryRef[], under = approved, signal = context.signal): Promise<readonly string[]> =>
    (await repositories.byRefs(under, refs, { signal })).map(({ repositoryRef }) => repositoryRef);

  it('are read with one command, and each request gets its own', async () => {
    let found: readonly (readonly string[])[] = [];
    const commands = await commandsOf(client, async () => {
      found = await Promise.all([refsOf([b, a]), refsOf([b, missing, c, b])]);
    });
    expect(found).toEqual([
      [b, a],
      [b, c],
    ]);
    expect(commands).toHaveLength(1);
    expect(commands[0]).toMatchObject({ filter: { _id: { $in: [b, a, missing, c] }, repositoryRef: { $in: [b, a, missing, c] } } });
  });

  it('are never read together with different permissions', async () => {
    const [first, second] = [Allowlist.of(a, b).approved(), Allowlist.of(b, c).approved()];
    let found: readonly (readonly string[])[] = [];
    const commands = await commandsOf(client, async () => {
      found = await Promise.all([refsOf([a, b, c], first), refsOf([a, b, c], second), refsOf([a, b, c], approved.only(c))]);
    });
    expect(found).toEqual([[a, b], [b, c], [c]]);
    expect(commands.map(({ filter }) => filter._id.$in)).toEqual([[a, b], [b, c], [c]]);
  });

  it('are read each time', async () => {
    const branches = async (): Promise<readonly (string | null)[]> =>
      (await repositories.byRefs(approved, [a, b], context)).map(({ defaultBranch }) => defaultBranch);
    await put(b, 'next');
    expect(await branches()).toEqual(['main', 'next']);
    await put(b, 'main');
    expect(await branches()).toEqual(['main', 'main']);
  });

  it('are still read for the others if one of them has disconnected', async () => {
    const leaving = new AbortController();
    const left = new UnavailableError();
    const gone = refsOf([a], approved, leaving.signal);
    const others = [refsOf([a, b]), refsOf([c])];
    leaving.abort(left);
    await expect(gone).rejects.toBe(left);
    expect(await Promise.all(others)).toEqual([[a, b], [c]]);
  });
});
