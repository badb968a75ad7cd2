import type { Config, Environment } from '@vitrine/config';
import type { ApprovedRepositories, Clock } from '@vitrine/core';
import { SourceFactory } from './source-factory.js';
import type { Source } from './source.js';

export interface SourcesOptions {
  /** Where sources keep what they can make anew, such as clones. */
  readonly folder: string;
  /** The address this server listens on, such as `http://127.0.0.1:3000`, asked at each run; `null` where nothing is served, and so nothing checks itself. */
  readonly origin: (() => string) | null;
  /** May carry git's credentials; no variables without it. */
  readonly environment?: Environment;
  /** The allowlist of the moment: what is not on it is not collected. The configuration's without it. */
  readonly approved?: () => ApprovedRepositories;
  /** Judges how long certificates are valid. The system's clock without it. */
  readonly clock?: Clock;
  /** Hears the address where heartbeats are received, whenever they can be. */
  readonly onListening?: (origin: string) => void;
}

/** The sources of a configuration: its services, its sources, and the checks of this server's own health. */
export function createSources(config: Config, options: SourcesOptions): readonly Source[] {
  return new ConfiguredSources(config, options).of(config);
}

/** The sources of a configuration whose services and sources may change. */
export class ConfiguredSources {
  readonly #factory: SourceFactory;
  /** By what each was made from. */
  #made: ReadonlyMap<string, Source> = new Map();

  /** @param config says everything but what changes */
  constructor(config: Config, options: SourcesOptions) {
    this.#factory = new SourceFactory(config, options);
  }

  /** The sources of these entries. An entry that was there at the last call, and says the same, gives the same source. */
  of(entries: Pick<Config, 'sources' | 'services'>): readonly Source[] {
    const before = this.#made;
    const made = new Map<string, Source>();
    for (const { from, make } of this.#factory.entries(entries)) {
      const key = JSON.stringify(from);
      made.set(key, before.get(key) ?? make());
    }
    this.#made = made;
    return [...made.values()];
  }
}
