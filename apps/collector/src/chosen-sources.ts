import { ServicesSource, type Source } from '@vitrine/collector';
import type { Config } from '@vitrine/config';
import { nearest } from '@vitrine/core';
import { UsageError } from './usage-error.js';

/** Throws a {@link UsageError} if a name is not that of a source. A source has the two names that `vitrine sources` prints, such as `git acme/widget` and `git:acme/widget`. */
export function requireSources(names: readonly string[], sources: readonly Source[], config: Config): void {
  for (const name of names) {
    if (sources.some((source) => isNamed(source, name))) continue;
    if (config.services.some(({ key, check }) => check === 'self' && [`self-check ${key}`, selfCheckId(key)].includes(name)))
      throw new UsageError(`${JSON.stringify(name)} checks the server itself, so only a running server collects it. Leave it out.`);
    const near = nearest(name, sources.flatMap(namesOf));
    const meant = near === null ? '' : ` Did you mean ${JSON.stringify(near)}?`;
    throw new UsageError(`${config.file} has no source ${JSON.stringify(name)}.${meant} The command sources prints the name of each source.`);
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
  if (services.some(({ key, check }) => check === 'self' && id === selfCheckId(key))) return true;
  const has = (all: readonly Source[]): boolean => all.some(({ registration }) => registration?.id === id);
  return has(sources) && !has(chosen);
}

function selfCheckId(key: string): string {
  return `probe:${key}`;
}

function isNamed(source: Source, name: string): boolean {
  return namesOf(source).includes(name);
}

/** A source that is not registered is not printed either, so it has no name. */
function namesOf({ id, registration }: Source): readonly string[] {
  return registration === undefined ? [] : [id, registration.id];
}
