import type { Config } from '@vitrine/config';
import { assertOptions, CLOCK, FUNCTION, OBJECT, orNull, required, TEXT, type RulesOf } from '@vitrine/core';
import { boundSources, NOTHING_STORED, type StoredApprovals } from './approvals.js';
import { SourceFactory } from './source-factory.js';
import { type Source, isNamed } from './source.js';
import type { Collected, SourcesOptions } from './source-factory.js';
import { ServicesSource } from '../probes/services-source.js';

const OPTIONS: RulesOf<SourcesOptions> = {
  folder: required(TEXT),
  origin: orNull(FUNCTION),
  environment: OBJECT,
  approved: FUNCTION,
  stored: OBJECT,
  clock: CLOCK,
  onListening: FUNCTION,
  clientOf: FUNCTION,
};

/** The services, the sources and the self-checks of a configuration. Throws a `TypeError` if an option is wrong or does not exist. */
export function createSources(config: Config, options: SourcesOptions): readonly Source[] {
  return new ConfiguredSources(config, options).of(config, options.stored);
}

/** The sources of a configuration whose services and sources may change. */
export class ConfiguredSources {
  readonly #factory: SourceFactory;
  #made: ReadonlyMap<string, Source> = new Map();

  constructor(config: Config, options: SourcesOptions) {
    assertOptions('createSources', options, OPTIONS);
    this.#factory = new SourceFactory(config, options);
  }

  /** Every source that these entries could have under any lists of owners, for their names. They must not run: those that only a pattern approves have no forge id. */
  possible(entries: Collected): readonly Source[] {
    return this.#factory.entries(entries).map(({ make }) => make());
  }

  /** The sources of these entries. An equal entry of the last call gives the same source. Those that only a pattern approves are there when their list is stored. */
  of(entries: Collected, stored: StoredApprovals = NOTHING_STORED): readonly Source[] {
    const before = this.#made;
    const made = new Map<string, Source>();
    for (const { from, make } of this.#factory.entries({ ...entries, sources: boundSources(entries, stored).sources })) {
      const key = JSON.stringify(from);
      made.set(key, before.get(key) ?? make());
    }
    this.#made = made;
    return [...made.values()];
  }
}

/** Those of the sources that have one of the names; all without names. The description of services comes along with each of their checks. */
export function chosenOf(names: readonly string[], sources: readonly Source[]): readonly Source[] {
  if (names.length === 0) return sources;
  const named = sources.filter((source) => names.some((name) => isNamed(source, name)));
  const hasChecks = named.some(({ registration }) => registration?.sourceType === 'probe');
  return sources.filter((source) => named.includes(source) || (hasChecks && source instanceof ServicesSource));
}

/** Whether an id is that of a source which this process does not run, although the configuration has it: its sync record and its records stay. */
export function isLeftToOthers(id: string, sources: readonly Source[], chosen: readonly Source[], { services }: Pick<Config, 'services'>): boolean {
  if (services.some(({ key, check }) => check === 'self' && id === `probe:${key}`)) return true;
  const has = (all: readonly Source[]): boolean => all.some(({ registration }) => registration?.id === id);
  return has(sources) && !has(chosen);
}
