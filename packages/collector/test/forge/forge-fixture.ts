import { openMemoryStore, type OpenMemoryStore } from '@vitrine/adapters-memory';
import type { Environment, ForgeSourceConfig } from '@vitrine/config';
import { Allowlist, HOUR, type ApprovedRepositories, type RecordKind, type StoredRecord, type Sync } from '@vitrine/core';
import type { PullRequest } from '../../src/sources/findings/pull-requests.js';
import { ForgeSources, storedPullRequests } from '../../src/sources/forge/create-forge-source.js';
import type { ForgeSource } from '../../src/sources/forge/forge-source.js';
import { OutgoingClient } from '../../src/fetching/outgoing-client.js';
import type { RunReport } from '../../src/running/source.js';
import { vouchingWriter } from '../../src/running/vouching.js';
import { ForgeServer } from './forge-server.js';

const { signal } = new AbortController();
const NOON = Date.UTC(2026, 10, 20, 12);

/** A forge, a store, and sources between them, as the scheduler runs them. */
export class ForgeFixture {
  now = NOON;
  environment: Environment = {};
  /** Whether sources read the pull requests. */
  hasPullRequests = false;
  approved: ApprovedRepositories = Allowlist.of('acme/widget').approved();
  readonly server: ForgeServer;
  readonly store: OpenMemoryStore;
  #sources: ForgeSources | null = null;

  private constructor(server: ForgeServer, store: OpenMemoryStore) {
    [this.server, this.store] = [server, store];
  }

  static async open(documents: Record<string, unknown>): Promise<ForgeFixture> {
    const fixture = new ForgeFixture(await ForgeServer.start(), await openMemoryStore({ clock: { now: () => NOON } }));
    fixture.server.documents = documents;
    return fixture;
  }

  config(more: Partial<ForgeSourceConfig> = {}): ForgeSourceConfig {
    return {
      kind: 'forge',
      type: 'github',
      api: this.server.origin,
      ref: 'acme/widget',
      name: { fullName: 'Acme/widget', owner: 'Acme', name: 'widget' },
      url: 'https://github.com/acme/widget',
      label: 'github.com',
      token: null,
      allowPrivate: true,
      intervalMs: 300_000,
      ...more,
    };
  }

  /** A source of the process. */
  source(more: Partial<ForgeSourceConfig> = {}): ForgeSource {
    this.#sources ??= new ForgeSources({ client: new OutgoingClient(), environment: this.environment, approved: () => this.approved });
    return this.#sources.create(this.config(more), { hasPullRequests: this.hasPullRequests });
  }

  /** A source of a new process. */
  restarted(more: Partial<ForgeSourceConfig> = {}): ForgeSource {
    this.#sources = null;
    return this.source(more);
  }

  /** Runs the source an hour later. */
  async run(source: ForgeSource, writer = this.store.writer): Promise<RunReport> {
    this.now += HOUR;
    const { id } = source.registration;
    const context = { writer: vouchingWriter(id, writer, new AbortController().signal), collection: this.store.collection, source: id };
    return source.run({ ...context, clock: { now: () => this.now }, signal, progress: () => undefined });
  }

  async records(): Promise<readonly StoredRecord[]> {
    const found: StoredRecord[] = [];
    for await (const record of this.store.collection.records({ signal })) found.push(record);
    return found;
  }

  async of<Kind extends RecordKind>(kind: Kind): Promise<readonly Extract<StoredRecord, { readonly kind: Kind }>[]> {
    return (await this.records()).filter((record): record is Extract<StoredRecord, { readonly kind: Kind }> => record.kind === kind);
  }

  sync(id: string): Promise<Sync | null> {
    return this.store.collection.sync(id, { signal });
  }

  /** What is stored about the pull requests. */
  pullRequests(more: Partial<ForgeSourceConfig> = {}): Promise<readonly PullRequest[]> {
    return storedPullRequests(this.config(more))({ collection: this.store.collection, signal });
  }

  async put(records: readonly StoredRecord[], source: string | null = null): Promise<void> {
    await this.store.writer.put(records, { signal, source });
  }

  async close(): Promise<void> {
    await this.store.close();
    await this.server.close();
  }
}
