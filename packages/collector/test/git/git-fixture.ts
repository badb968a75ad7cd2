import { join } from 'node:path';
import type { Commit } from '@vitrine/core';
import { GitSource, type GitSourceOptions } from '../../src/sources/git/git-source.js';
import type { RunReport } from '../../src/running/source.js';
import { RecordingStore } from './recording-store.js';
import { bareEnvironment, TemporaryFolder, TemporaryRepository } from './temporary-repository.js';

/** A repository, a source that reads it, and a store that the source fills. */
export class GitFixture {
  readonly folder = new TemporaryFolder();
  readonly store = new RecordingStore();
  now = Date.UTC(2026, 0, 1);

  path(name: string): string {
    return join(this.folder.path, name);
  }

  repository(name = 'widget', ...initArgs: readonly string[]): TemporaryRepository {
    return new TemporaryRepository(this.path(name), ...initArgs);
  }

  source(location: string, options: Partial<GitSourceOptions> = {}): GitSource {
    return new GitSource(this.options(location, options));
  }

  options(location: string, options: Partial<GitSourceOptions> = {}): GitSourceOptions {
    return {
      location,
      ref: 'acme/widget',
      name: { fullName: 'Acme/Widget', owner: 'Acme', name: 'Widget' },
      url: 'https://git.example.org/Acme/Widget',
      label: 'Acme git',
      intervalMs: 60_000,
      // As a folder without remotes does by itself, but git need not be asked for them.
      branches: 'local',
      cacheFolder: this.path('clones'),
      environment: bareEnvironment(this.folder.path),
      timeoutMs: 120_000,
      ...options,
    };
  }

  run(source: GitSource, signal: AbortSignal = new AbortController().signal): Promise<RunReport> {
    this.now += 60_000;
    return source.run({ writer: this.store, collection: this.store, clock: { now: () => this.now }, signal, progress: () => undefined });
  }

  commit(sha: string): Commit {
    const commit = this.store.commits().find((one) => one.sha === sha);
    if (commit === undefined) throw new Error(`commit ${sha} is not stored`);
    return commit;
  }

  /** The branch of each stored commit, by title. */
  branches(): Record<string, string | null> {
    return Object.fromEntries(this.store.commits().map(({ title, branch }) => [title, branch]));
  }
}
