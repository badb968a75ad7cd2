import { quotable } from '@vitrine/core';
import { slug } from '../config-fields.js';
import type { ForeignCheck } from './foreign-check.js';
import { TEXT_REFERENCE } from './foreign-values.js';
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
    const group = written(check.group);
    const name = quotable(written(check.name), LONGEST_NAME).trim() || `Service ${String(index + 1)}`;
    const first = slug(group, LONGEST_PREFIX) || slug(prefix, LONGEST_PREFIX) || 'services';
    const key = freeKey(`${first}:${slug(name, LONGEST_COMPONENT) || 'service'}`, keys);
    keys.add(variablePart(key));
    const { notes, ...drafted } = draftedService({ ...check, group }, key, name);
    const changes = [name === check.name.trim() ? [] : RENAMED, group === check.group ? [] : NO_GROUP].flat();
    return { name, ...drafted, notes: drafted.entry === null ? notes : [...notes, ...changes] };
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

const RENAMED =
  'is called so, because its name is missing, too long, comes from an environment variable, or holds characters or addresses that cannot be shown';
const NO_GROUP = 'not carried over: group (it comes from an environment variable; write the text)';

/** The text; empty if it comes from an environment variable. */
function written(text: string): string {
  return TEXT_REFERENCE.test(text) ? '' : text;
}

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
