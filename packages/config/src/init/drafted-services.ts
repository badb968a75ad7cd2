import { quotable } from '@vitrine/core';
import { slug } from '../config-fields.js';
import type { ForeignCheck } from './foreign-check.js';
import { draftedService, type ServiceEntry } from './drafted-service.js';

/** As many as a configuration may have, and one for Vitrine itself. */
const MOST_SERVICES = 999;
const LONGEST_NAME = 255;
const [LONGEST_PREFIX, LONGEST_COMPONENT] = [20, 36];

/**
 * The services of checks that another program made, and one line for each thing that was changed or left out.
 *
 * @param prefix the first part of the keys of checks without a group
 */
export function draftedServices(checks: readonly ForeignCheck[], prefix: string) {
  const keys = new Set<string>();
  const drafted = checks.slice(0, MOST_SERVICES).map((check, index) => {
    const name = quotable(check.name, LONGEST_NAME).trim() || `Service ${String(index + 1)}`;
    const first = slug(check.group, LONGEST_PREFIX) || slug(prefix, LONGEST_PREFIX) || 'services';
    const key = freeKey(`${first}:${slug(name, LONGEST_COMPONENT) || 'service'}`, keys);
    keys.add(variablePart(key));
    const { notes, ...drafted } = draftedService(check, key, name);
    return { name, ...drafted, notes: name === check.name.trim() || drafted.entry === null ? notes : [...notes, RENAMED] };
  });
  const more = checks.length - drafted.length;
  return {
    entries: drafted.flatMap(({ entry }): readonly ServiceEntry[] => (entry === null ? [] : [entry])),
    notes: [
      ...drafted.flatMap(({ name, entry, notes }) => notes.map((note) => `${name}: ${entry === null ? `left out, because ${note}` : note}`)),
      ...(more > 0 ? [`${String(more)} more checks were left out, because a configuration has at most 1,000 services`] : []),
    ],
    variables: drafted.flatMap(({ entry, variables }) => (entry === null ? [] : variables)),
  };
}

const RENAMED = 'is called so, because its name is missing, too long, or holds characters or addresses that cannot be shown';

/** Keys that differ in this form have variables with different names. */
function variablePart(key: string): string {
  return key.replace(/\W+/g, '_');
}

function freeKey(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 2, key = wanted; ; number++) {
    if (!taken.has(variablePart(key))) return key;
    key = `${wanted}-${String(number)}`;
  }
}
