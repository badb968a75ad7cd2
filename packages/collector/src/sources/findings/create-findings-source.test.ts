import { openMemoryStore } from '@vitrine/adapters-memory';
import { loadConfig } from '../../configuration/load-config.js';
import { Allowlist, type RecordStore } from '@vitrine/core';
import { GitFixture } from '../../../test/git/git-fixture.js';
import { createSources } from '../../running/create-sources.js';
import type { Source, SourceContext } from '../../running/source.js';
import { wrappedWriter } from '../../running/vouching.js';

describe('a git source with findings: true', () => {
  const fixture = new GitFixture();
  let approved = Allowlist.of('acme/widget').approved();
  let store: RecordStore;
  let sources: readonly Source[];

  beforeAll(() => {
    const repository = fixture.repository();
    repository.commit('feat: start', { a: 'a\n' });
    repository.git('checkout', '--quiet', '-b', 'topic');
    repository.commit('fix: a', { a: 'b\n' });
    repository.git('checkout', '--quiet', 'main');
  });

  beforeEach(async () => {
    store = await openMemoryStore({ clock: { now: () => fixture.now } });
    const text = `approved: [acme/widget]\nsources: [{git: ${fixture.path('widget')}, repository: acme/widget, url: "https://acme.example/w", findings: true}]\n`;
    const options = { folder: fixture.path('clones'), origin: null, environment: { PATH: process.env['PATH'] }, approved: () => approved };
    sources = createSources(loadConfig({ text, file: 'vitrine.yaml', env: {} }), options);
  });

  afterEach(() => store.close());

  afterAll(() => {
    fixture.folder.remove();
  });

  const sourceOf = (type: string): Source => {
    const source = sources.find(({ registration }) => registration?.sourceType === type);
    if (source === undefined) throw new Error(`expected a source of the type ${type}`);
    return source;
  };
  const contextOf = (over: Partial<SourceContext> = {}): SourceContext => {
    const { writer, collection } = store;
    const signal = new AbortController().signal;
    return { writer, collection, clock: { now: () => fixture.now }, signal, progress: () => undefined, ...over };
  };

  it('has a source of findings with a sync record of its own', async () => {
    expect(sources.map(({ id }) => id)).toEqual(['services of the configuration', 'git acme/widget', 'finding acme/widget']);
    expect(sourceOf('finding').registration).toMatchObject({ id: 'finding:acme/widget', repositoryRef: 'acme/widget', feeds: ['finding'] });
    expect(await sourceOf('finding').run(contextOf())).toMatchObject({ stored: 1, warnings: [] });
  });

  it('reads the repository only while the git source does not run', async () => {
    const order: string[] = [];
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const writing = new Promise<void>((isWriting) => {
      const writer = wrappedWriter(store.writer, async (call) => {
        isWriting();
        await held;
        order.push('git has written');
        return call();
      });
      void sourceOf('git').run(contextOf({ writer }));
    });
    await writing;
    const collection: SourceContext['collection'] = {
      ...store.collection,
      sync: (...call) => {
        order.push('findings have read the refs');
        return store.collection.sync(...call);
      },
    };
    const found = sourceOf('finding').run(contextOf({ collection }));
    // Much longer than the findings need to read the refs.
    await new Promise((resolve) => setTimeout(resolve, 500));
    goOn();
    await found;
    expect(order.slice(0, 1)).toEqual(['git has written']);
    expect(order.at(-1)).toBe('findings have read the refs');
  });

  it('collects nothing after the repository has left the allowlist', async () => {
    approved = Allowlist.of().approved();
    expect(await sourceOf('finding').run(contextOf())).toMatchObject({ stored: 0, warnings: [expect.stringContaining('not approved any more')] });
    for await (const { id } of store.collection.ofRepository('finding', 'acme/widget', contextOf())) throw new Error(`${id} is stored`);
  });
});
