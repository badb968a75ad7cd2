import { isPublicId, parseRepositoryName } from '@vitrine/core';
import { REPOSITORY_PATTERN } from './parameters.js';
import type { JsonSchema } from './schema.js';

export interface PathParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example: string;
  /** Whether the value may hold slashes, so that it may take several segments of the path. The parameter is the last one of its path then. */
  readonly spansSegments?: true;
  /** Whether texts that differ only in the case of ASCII letters name the same. */
  readonly ignoresCase?: true;
  readonly isWellFormed: (text: string) => boolean;
  /** What holds for the parameter, to be read after its name: a malformed text gives 400 with it. Default: 404. */
  readonly refusal?: string;
}

export function patternParameter(pattern: RegExp, words: Pick<PathParameter, 'name' | 'description' | 'example'>): PathParameter {
  return { ...words, schema: { type: 'string', pattern: pattern.source }, isWellFormed: (text) => pattern.test(text) };
}

const PART_OF_NAME: Pick<PathParameter, 'schema' | 'ignoresCase' | 'isWellFormed'> = {
  schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,100}$' },
  ignoresCase: true,
  isWellFormed: (text) => parseRepositoryName(`${text}/x`) !== null,
};

export const ownerParameter: PathParameter = {
  name: 'owner',
  description: 'Owner of the repository, in any letter case.',
  example: 'acme',
  ...PART_OF_NAME,
};

export const nameParameter: PathParameter = {
  name: 'name',
  description: 'Name of the repository, in any letter case.',
  example: 'widget',
  ...PART_OF_NAME,
};

export const fullNameParameter: PathParameter = {
  name: 'fullName',
  description: 'The repository as one segment: `owner/name` with its slash percent-encoded, in any letter case.',
  schema: { type: 'string', pattern: REPOSITORY_PATTERN },
  example: 'acme/widget',
  ignoresCase: true,
  isWellFormed: (text) => parseRepositoryName(text) !== null,
};

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
