import { openMemoryStore } from '@vitrine/adapters-memory';
import type { Finding, RecordStore, RecordWriter } from '@vitrine/core';
import { FindingsSource, type FindingsSourceOptions } from '../../src/sources/findings/findings-source.js';
import type { PullRequest } from '../../src/sources/findings/pull-requests.js';
import type { RunReport } from '../../src/running/source.js';
import { GitFixture } from './git-fixture.js';
import type { TemporaryRepository } from './temporary-repository.js';

/** A repository with a first commit on `main`, and a source of its findings over a store in memory. */
export class FindingsFixture {
  readonly files = new GitFixture();
  readonly repository: TemporaryRepository;
  now = Date.UTC(2026, 0, 1);
  store: RecordStore;
  /** What the forge says. */
  pullRequests: readonly PullRequest[] = [];
  /** It goes on from run to run, as in a server. */
  readonly #source: FindingsSource;

  private constructor(store: RecordStore) {
    this.store = store;
    this.repository = this.files.repository();
    this.repository.commit('feat: start', { 'start.ts': 'start\n' });
    this.#source = this.source();
  }

  static async open(): Promise<FindingsFixture> {
    return new FindingsFixture(await FindingsFixture.#emptyStore());
  }

  static #emptyStore(): Promise<RecordStore> {
    return openMemoryStore({ clock: { now: () => Date.UTC(2030, 0, 1) } });
  }

  async useEmptyStore(): Promise<void> {
    await this.store.close();
    this.store = await FindingsFixture.#emptyStore();
  }

  /** A source of a new process. */
  source(options: Partial<FindingsSourceOptions> = {}): FindingsSource {
    const pullRequests = () => Promise.resolve(this.pullRequests);
    return new FindingsSource({ pullRequests, ...this.files.options(this.repository.path), ...options });
  }

  run(source = this.#source, writer: RecordWriter = this.store.writer): Promise<RunReport> {
    this.now += 60_000;
    const { collection } = this.store;
    const signal = new AbortController().signal;
    return source.run({ writer, collection, clock: { now: () => this.now }, signal, progress: () => undefined });
  }

  /** All findings by their ids without the name of the repository. */
  async findings(): Promise<Readonly<Record<string, Finding>>> {
    const found: Record<string, Finding> = {};
    const context = { signal: new AbortController().signal };
    for await (const finding of this.store.collection.ofRepository('finding', 'acme/widget', context))
      found[finding.id.replace('Acme/Widget@', '')] = finding;
    return found;
  }

  /** The status and the confidence of each finding. */
  async states(): Promise<Readonly<Record<string, string>>> {
    return Object.fromEntries(
      Object.entries(await this.findings()).map(([id, { status, provenance }]) => [id, `${status} ${provenance.confidence}`]),
    );
  }

  /** Runs, and returns the states. */
  async runStates(source = this.#source): Promise<Readonly<Record<string, string>>> {
    await this.run(source);
    return this.states();
  }

  /** Creates a branch of the present commit with one commit for each message. Returns the shas. */
  branch(name: string, commits: Readonly<Record<string, Readonly<Record<string, string | null>>>>): readonly string[] {
    return this.repository.commitOn(name, commits);
  }

  async close(): Promise<void> {
    await this.store.close();
    this.files.folder.remove();
  }
}
