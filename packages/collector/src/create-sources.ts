import type { Config } from '@vitrine/config';
import { SourceFactory } from './source-factory.js';
import type { SourcesOptions } from './sources-options.js';
import type { Source } from './source.js';

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
