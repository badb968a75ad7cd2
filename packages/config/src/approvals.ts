import { type AllowlistEntry, asciiLowerCase, type RepositoryName } from '@vitrine/core';
import { z } from 'zod';
import { apiAddress, forgeId, GITHUB_API, ownerPattern, repositoryName, tokenOf, tokenVariable, yesOrNo } from './config-fields.js';
import { duration } from './duration.js';
import { at, entriesOf, type Place, placeOf, repeated, textsAt } from './places.js';
import { list, object, parsed, type Problem, show } from './validation/problems.js';

export interface Approvals {
  /** The repositories that are named. May be empty. */
  readonly approved: readonly AllowlistEntry[];
  /** What they approve depends on the lists of their owners, which a collector stores. Before the first list, nothing. */
  readonly patterns: readonly OwnerPattern[];
}

/** Whether a pattern could approve the repository, depending on the list of its owner. */
export function couldApprove(patterns: readonly OwnerPattern[], { owner, fullName }: RepositoryName): boolean {
  const isExcepted = patterns.some(({ except }) => except.some((name) => asciiLowerCase(name.fullName) === asciiLowerCase(fullName)));
  return !isExcepted && patterns.some((pattern) => asciiLowerCase(pattern.owner) === asciiLowerCase(owner));
}

const MOST_ENTRIES = 100_000;
const MOST_EXCEPTIONS = 10_000;

const namedEntry = object('owner/name, or an object with name and id, or with github', { name: repositoryName, id: forgeId.exactOptional() });

const patternEntry = object('an object with github, such as { github: "acme/*" }', {
  github: ownerPattern,
  /** The id that the forge gives the owner; unset: any owner of the name. */
  id: forgeId.exactOptional(),
  except: list('a list of repositories such as [acme/secret]', repositoryName, MOST_EXCEPTIONS).default([]),
  forks: yesOrNo.default(false),
  archived: yesOrNo.default(false),
  /** The address of the forge's API, without a final slash. */
  api: apiAddress.default(GITHUB_API),
  token: tokenVariable.exactOptional(),
  /** Whether the address may be in a private network. */
  allowPrivate: yesOrNo.default(false),
  interval: duration('1m', '8h').prefault('15m'),
})
  .superRefine(({ github: owner, except }, context) => {
    except.forEach((name, index) => {
      if (asciiLowerCase(name.owner) === asciiLowerCase(owner)) return;
      const message = `${show(name.fullName)} is not a repository of ${owner}, so the pattern cannot approve it; remove it`;
      context.addIssue({ code: 'custom', path: ['except', index], message, input: name.fullName });
    });
  })
  .transform(({ github: owner, id: ownerId = null, token, interval: intervalMs, ...rest }) => {
    return { ...rest, owner, ownerId, token: tokenOf(token, rest.api), intervalMs };
  });
export type OwnerPattern = Readonly<z.output<typeof patternEntry>>;

type NamedFile = z.output<typeof namedEntry>;

/** An entry with the key `github` is a pattern; other entries name a repository. */
const approvedEntry = z.unknown().transform((value, context): NamedFile | OwnerPattern => {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, 'github')) return parsed(patternEntry, value, context);
  return parsed(namedEntry, typeof value === 'string' ? { name: value } : value, context);
});

/** An empty list shows nothing. It must be explicit, so that a missing key is an error and not an empty list. */
export const approved = list('a list of repositories such as [acme/widget], or [] to show none', approvedEntry, MOST_ENTRIES);

/** Only the allowlist. All other keys are ignored. */
export const approvedSchema = z.looseObject(
  { approved },
  { error: () => 'has no allowlist; write approved: and a list of repositories, or approved: [] to show none' },
);

export function approvalsOf(entries: readonly (NamedFile | OwnerPattern)[]): Approvals {
  const approved = entries.flatMap((entry) => ('name' in entry ? { ...entry.name, forgeId: entry.id ?? null } : []));
  return { approved, patterns: entries.flatMap((entry) => ('owner' in entry ? entry : [])) };
}

export function crossCheckApproved(value: unknown): readonly Problem[] {
  return [...repeated(approvedNames(value)), ...repeated(patternPlaces(value))];
}

/** Two patterns of one owner on one server read the same list. */
function patternPlaces(value: unknown): readonly Place[] {
  return textsAt(value, 'approved', 'github').map(({ path, text }) => {
    const api = at(entriesOf(value, 'approved')[Number(path[1])], 'api');
    return { path, text, same: `${asciiLowerCase(text)} ${typeof api === 'string' ? api : ''}` };
  });
}

/** What a pattern excepts is not shown, also if it is named. A running server obeys that at once; here it is reported. */
export function contradictions(value: unknown): readonly Problem[] {
  const named = new Set(approvedNames(value).map(({ same }) => same));
  return entriesOf(value, 'approved').flatMap((entry, index) => {
    const places = entriesOf(entry, 'except').flatMap((name, place) => placeOf(name, ['approved', index, 'except', place]));
    const contradicting = places.filter(({ same }) => named.has(same));
    return contradicting.map(({ path, text }) => ({ path, message: `${show(text)} has an entry of its own in approved; remove one of the two` }));
  });
}

export function approvedNames(value: unknown): readonly Place[] {
  const plain = entriesOf(value, 'approved').flatMap((entry, index) => placeOf(entry, ['approved', index]));
  return [...plain, ...textsAt(value, 'approved', 'name')];
}
