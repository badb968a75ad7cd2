import { z } from 'zod';
import type { Approvals, OwnerPattern } from './approvals.js';
import { apiAddress, forgeId, ownerPattern, repositoryName, sameName, tokenVariable, yesOrNo } from './config-fields.js';
import { duration } from './duration.js';
import { show, parsed, list, object } from './validation/problems.js';

const MOST_ENTRIES = 100_000;
const MOST_EXCEPTIONS = 10_000;

export const GITHUB_API = 'https://api.github.com';

const namedEntry = object('owner/name, or an object with name and id, or with github', { name: repositoryName, id: forgeId.exactOptional() });

const patternEntry = object('an object with github, such as { github: "acme/*" }', {
  github: ownerPattern,
  id: forgeId.exactOptional(),
  except: list('a list of repositories such as [acme/secret]', repositoryName, MOST_EXCEPTIONS).default([]),
  forks: yesOrNo.default(false),
  archived: yesOrNo.default(false),
  api: apiAddress.default(GITHUB_API),
  token: tokenVariable.exactOptional(),
  allowPrivate: yesOrNo.default(false),
  interval: duration('1m', '8h').prefault('15m'),
}).superRefine(({ github: owner, except }, context) => {
  except.forEach((name, index) => {
    if (sameName(name.owner) === sameName(owner)) return;
    const message = `${show(name.fullName)} is not a repository of ${owner}, so the pattern cannot approve it; remove it`;
    context.addIssue({ code: 'custom', path: ['except', index], message, input: name.fullName });
  });
});

type NamedFile = z.output<typeof namedEntry>;
type PatternFile = z.output<typeof patternEntry>;

/** An entry with the key `github` is a pattern; other entries name a repository. */
const approvedEntry = z.unknown().transform((value, context): NamedFile | PatternFile => {
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

export function approvalsOf(entries: readonly (NamedFile | PatternFile)[]): Approvals {
  const approved = entries.flatMap((entry) => ('name' in entry ? { ...entry.name, forgeId: entry.id ?? null } : []));
  return { approved, patterns: entries.flatMap((entry) => ('github' in entry ? patternOf(entry) : [])) };
}

function patternOf(file: PatternFile): OwnerPattern {
  const { github: owner, id: ownerId = null, token = null, interval: intervalMs, ...rest } = file;
  return { ...rest, owner, ownerId, token, intervalMs };
}
