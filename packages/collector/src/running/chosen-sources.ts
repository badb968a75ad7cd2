import type { Config } from '@vitrine/config';
import { ServicesSource } from '../probes/services-source.js';
import { isNamed, type Source } from './source.js';

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
