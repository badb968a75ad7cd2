import { isPublicId, parseRepositoryName, parseShaPrefix } from '@vitrine/core';
import type { JsonSchema } from './parameter.js';

/** What is known of one path parameter. */
export interface PathParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example: string;
  /** Whether the value may hold slashes, so that it may take several segments of the path. The parameter is the last one of its path then. */
  readonly spansSegments?: true;
  /** Whether texts that differ only in the case of ASCII letters name the same. */
  readonly ignoresCase?: true;
  /** Whether the decoded text can name anything. */
  readonly isWellFormed: (text: string) => boolean;
}

const NAME_PATTERN = '^[A-Za-z0-9._-]{1,100}$';
const KEY = /^[A-Za-z0-9_.:-]{1,64}$/;

function isNamePart(text: string): boolean {
  return parseRepositoryName(`${text}/x`) !== null;
}

export const ownerParameter: PathParameter = {
  name: 'owner',
  description: 'Owner of the repository, in any letter case.',
  schema: { type: 'string', pattern: NAME_PATTERN },
  example: 'acme',
  ignoresCase: true,
  isWellFormed: isNamePart,
};

export const nameParameter: PathParameter = {
  name: 'name',
  description: 'Name of the repository, in any letter case.',
  schema: { type: 'string', pattern: NAME_PATTERN },
  example: 'widget',
  ignoresCase: true,
  isWellFormed: isNamePart,
};

export const fullNameParameter: PathParameter = {
  name: 'fullName',
  description: 'The repository as one segment: `owner/name` with its slash percent-encoded, in any letter case.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,100}/[A-Za-z0-9._-]{1,100}$' },
  example: 'acme/widget',
  ignoresCase: true,
  isWellFormed: (text) => parseRepositoryName(text) !== null,
};

/** What a commit is looked up by. */
export interface CommitReference {
  /** 7 to 64 lower-case hexadecimal digits. */
  readonly sha: string;
  readonly repository: string | null;
}

/** A sha, an abbreviation of 7 digits or more, or either after `owner/name@`; `null` otherwise. */
export function parseCommitReference(text: string): CommitReference | null {
  const at = text.lastIndexOf('@');
  const sha = parseShaPrefix(text.slice(at + 1));
  if (sha === null) return null;
  if (at < 0) return { sha, repository: null };
  const repository = parseRepositoryName(text.slice(0, at));
  return repository === null ? null : { sha, repository: repository.fullName };
}

export const COMMIT_REFERENCE_DETAIL = 'must be 40 or 64 hexadecimal digits, an abbreviation of 7 or more, or one of them after owner/name@';

export const shaParameter: PathParameter = {
  name: 'sha',
  description:
    'A commit: 40 or 64 hexadecimal digits, an abbreviation of 7 or more, or one of them after `owner/name@`. The slash and the `@` may be percent-encoded.',
  schema: { type: 'string', pattern: '^([A-Za-z0-9._-]{1,100}/[A-Za-z0-9._-]{1,100}@)?[0-9a-fA-F]{7,64}$' },
  example: '9f1c2d3e4b5a69788796a5b4c3d2e1f001122334',
  spansSegments: true,
  isWellFormed: (text) => parseCommitReference(text) !== null,
};

/** A record's public id. */
export function idParameter(description: string, example: string): PathParameter {
  return {
    name: 'id',
    description,
    schema: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[!-~]{1,200}$' },
    example,
    spansSegments: true,
    isWellFormed: isPublicId,
  };
}

export const serviceKeyParameter: PathParameter = {
  name: 'key',
  description: 'Key of the service: `<provider>:<component>`, with its colon percent-encoded or plain.',
  schema: { type: 'string', pattern: KEY.source },
  example: 'acme:widget-api',
  isWellFormed: (text) => KEY.test(text),
};
