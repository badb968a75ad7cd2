/**
 * Every use case over readers that ignore the allowlist. Each case rejects if the use case returns a private record, or if the gate monitor was not
 * called.
 */
export function leakyReaderCases(core, testing) {
  const { NOW, StandingClock } = testing;
  const clock = new StandingClock(NOW);
  const context = { approved: core.Allowlist.of('acme/widget').approved(), signal: new AbortController().signal };
  const deadlines = { run: (_milliseconds, signal, call) => call(signal) };
  const scope = { repositoryRef: 'acme/secret' };
  const leak = {
    commit: testing.aCommit(scope),
    release: testing.aRelease(scope),
    finding: testing.aFinding(scope),
    build: testing.aBuild(scope),
    mission: testing.aMission(scope),
    article: testing.anArticle(scope),
    video: testing.aVideo(scope),
    repository: testing.aRepository(scope),
  };
  const next = { time: NOW, id: 'acme/secret', fullName: 'acme/secret' };
  const reader = (record) => ({
    list: () => Promise.resolve({ items: [record], next }),
    byId: () => Promise.resolve(record),
    // The public commit must be neither hidden nor called ambiguous.
    bySha: () => Promise.resolve([record, testing.aCommit()]),
  });
  const repositories = { ...reader(leak.repository), byRefs: () => Promise.resolve([testing.aRepository(), leak.repository]) };
  const board = { evidence: () => Promise.resolve(new Map()) };
  const checks = {};
  const found = { position: { tier: 0, time: NOW, type: 'commit', id: 'acme/secret' }, record: leak.commit };
  const search = { search: () => Promise.resolve({ items: [found], next: found.position }) };
  const readers = {
    ...Object.fromEntries(Object.entries(leak).map(([kind, record]) => [`${kind}s`, reader(record)])),
    news: reader(testing.someNews()),
  };
  const list = { limit: 10, after: null, from: null, to: null, repository: null, q: 'keyset', types: [], id: leak.release.id, sha: leak.commit.sha };

  const cases = {
    GetCommit: ({ records }) => new core.GetCommit(readers.commits, records),
    ...Object.fromEntries(
      Object.entries(core.KINDS)
        .filter(([kind, { reader }]) => kind === 'commit' || (reader === 'record' && kind !== 'image'))
        .map(([kind, { plural }]) => [`ListRecords of ${plural}`, ({ records }) => new core.ListRecords(kind, readers[plural], records)]),
    ),
    ...Object.fromEntries(
      Object.entries(core.KINDS)
        .filter(([kind, { reader }]) => reader === 'record' && kind !== 'image')
        .map(([kind, { plural }]) => [`GetRecord of ${plural}`, ({ records }) => new core.GetRecord(kind, readers[plural], records)]),
    ),
    ListRepositories: (parts) => new core.ListRepositories({ ...parts, readers: { repositories } }),
    GetRepository: (parts) => new core.GetRepository(parts),
    GetRepositoryHub: ({ quietGate, ...parts }) => new core.GetRepositoryHub({ ...parts, readers, gate: quietGate }),
    GetOverview: (parts) => new core.GetOverview({ ...parts, readers }),
    ListSources: (parts) =>
      new core.ListSources({ ...parts, readers: { syncs: { list: () => Promise.resolve([testing.aSync({ ...scope, id: 'git:acme/secret' })]) } } }),
    Search: ({ quietGate, ...parts }) => new core.Search({ ...parts, readers: { search }, gate: quietGate }),
  };

  return Object.entries(cases).map(([name, make]) => ({
    name: `${name} over readers that ignore the allowlist`,
    async run() {
      let refused = 0;
      const monitor = { refused: () => (refused += 1) };
      const gate = new core.RepositoryGate(repositories, monitor);
      const quietGate = new core.RepositoryGate({ byRefs: () => Promise.resolve([testing.aRepository()]) }, monitor);
      const freshness = new core.FreshnessJudge({ list: () => Promise.resolve([]) }, clock);
      const records = new core.ScopedRecords(quietGate, freshness, clock);
      const services = { list: () => Promise.resolve([]) };
      const incidents = { unresolved: () => Promise.resolve([]) };
      const status = new core.StatusBoard({ readers: { services, checks, incidents }, board, deadlines });
      const useCase = make({ gate, quietGate, freshness, records, board, status, deadlines, clock });
      const answer = await useCase.execute({ ...list, fullName: 'acme/widget', branch: null, author: null, tag: null }, context).catch((error) => {
        if (error instanceof core.NotFoundError) return 'not found';
        throw error;
      });
      if (JSON.stringify(answer).includes('secret')) throw new Error(`${name} answered a private record`);
      if (refused === 0) throw new Error(`${name}: nobody heard of the refusal`);
    },
  }));
}
