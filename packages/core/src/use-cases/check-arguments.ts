import { InvalidInputError } from '../kinds/domain-error.js';
import { isInstant } from '../kinds/instant.js';
import { KINDS, type FilterOf, type ListedKind } from '../kinds/kinds.js';
import { SEARCH_TYPES } from '../kinds/search.js';
import { quotable } from '../rules/quotable.js';
import { normalizeQuery } from '../rules/search-words.js';
import { unknownName } from '../rules/unknown-name.js';
import type { UseCases } from './create-use-cases.js';
import { MAX_HISTORY_DAYS } from './status/list-service-periods.js';

/** Which values an input may have. */
interface Rule {
  readonly accepts: (value: unknown) => boolean;
  readonly means: string;
  readonly isRequired?: true;
}

type ArgumentsOf<Name extends keyof UseCases> = Parameters<UseCases[Name]['execute']>;
type Rules<Name extends keyof UseCases> = { readonly [Field in keyof ArgumentsOf<Name>[0]]-?: Rule };
type ScopedName = { readonly [Name in keyof UseCases]: 'approved' extends keyof ArgumentsOf<Name>[1] ? Name : never }[keyof UseCases];

const isText = (value: unknown): value is string => typeof value === 'string';

function orNull(means: string, accepts: Rule['accepts']): Rule {
  return { accepts: (value) => value === null || accepts(value), means: `${means}, or null` };
}

function required(means: string, accepts: Rule['accepts'] = isText): Rule {
  return { accepts, means, isRequired: true };
}

function upTo(most: number): Rule {
  return {
    accepts: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most,
    means: `a whole number from 1 to ${String(most)}`,
  };
}

/** Of the fields of positions, those that are texts. The others are numbers. */
const TEXTS: ReadonlySet<string> = new Set(['id', 'fullName', 'type']);

/** A position may come back from a client. */
function positionOf(...fields: readonly string[]): Rule {
  return orNull('what the page before has as next', (value) =>
    fields.every((field) => {
      const part: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined;
      return TEXTS.has(field) ? isText(part) : Number.isInteger(part);
    }),
  );
}

const filter = orNull('a text, a list of texts', (value) => isText(value) || (Array.isArray(value) && value.every(isText)));
const instant = orNull('a time in milliseconds since 1970', isInstant);
const range = { from: instant, to: instant };
const repository = orNull('a text such as owner/name', isText);
const limit = upTo(100);
const timeList = { limit, after: positionOf('time', 'id'), ...range };

function filtersOf<Kind extends ListedKind>(kind: Kind) {
  return Object.fromEntries(Object.keys(KINDS[kind].filters).map((name) => [name, filter])) as { readonly [Name in FilterOf<Kind>]: Rule };
}

function listOf<Kind extends ListedKind>(kind: Kind) {
  return { ...timeList, repository, ...filtersOf(kind) };
}

const byId = { id: required('the id of a record, which is a text') };
const byName = { fullName: required('a text such as owner/name') };
const byKey = { key: required('the key of a service, which is a text') };
const periods = { ...byKey, limit, after: positionOf('now', 'start'), ...range };

/** Use cases that read what belongs to repositories, so their context has the permission. */
const SCOPED: { readonly [Name in ScopedName]: Rules<Name> } = {
  listCommits: listOf('commit'),
  getCommit: { sha: required('7 to 64 hexadecimal digits in lower case', (value) => isText(value) && /^[0-9a-f]{7,64}$/.test(value)), repository },
  listReleases: listOf('release'),
  getRelease: byId,
  listFindings: listOf('finding'),
  getFinding: byId,
  listBuilds: listOf('build'),
  listMissions: listOf('mission'),
  getMission: byId,
  listArticles: listOf('article'),
  getArticle: byId,
  getImage: byId,
  listVideos: listOf('video'),
  getVideo: byId,
  listActivity: { ...range, repository },
  listRepositories: { limit, after: positionOf('fullName') },
  getRepository: byName,
  getRepositoryHub: byName,
  listSources: { limit, after: positionOf('id') },
  getOverview: {},
  search: {
    q: required('what normalizeQuery returns', (value) => isText(value) && normalizeQuery(value) === value),
    types: {
      accepts: (value) => Array.isArray(value) && value.every((type) => SEARCH_TYPES.includes(type)),
      means: `a list with some of ${SEARCH_TYPES.join(', ')}`,
    },
    limit,
    after: positionOf('tier', 'time', 'type', 'id'),
  },
};

const OPEN: { readonly [Name in Exclude<keyof UseCases, ScopedName>]: Rules<Name> } = {
  listNews: { ...timeList, ...filtersOf('news') },
  getNews: byId,
  getStatus: { days: upTo(MAX_HISTORY_DAYS) },
  listServices: { limit, after: positionOf('id'), state: filter, group: filter },
  getService: byKey,
  listServiceChecks: { ...timeList, ...byKey },
  listServiceDays: periods,
  listServiceHours: periods,
  listIncidents: { ...timeList, ...filtersOf('incident') },
  getIncident: byId,
};

interface UseCase {
  execute(input: object, context: object): Promise<unknown>;
}

/**
 * Makes each use case reject wrong arguments: plain JavaScript can pass any, and even TypeScript lets `undefined` and any number pass.
 * An input that is `undefined` is as one that was left out.
 */
export function checkArguments(useCases: Readonly<Record<string, UseCase>>): void {
  for (const [name, rules] of Object.entries<Readonly<Record<string, Rule>>>({ ...SCOPED, ...OPEN })) {
    const useCase = useCases[name];
    if (useCase === undefined) continue;
    const execute = useCase.execute.bind(useCase);
    useCase.execute = async (input, context) => {
      assertContext(name, input, context);
      const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
      assertInput(name, given, rules);
      return execute(given, context);
    };
  }
}

function assertInput(name: string, given: Readonly<Record<string, unknown>>, rules: Readonly<Record<string, Rule>>): void {
  const unknown = unknownName(given, Object.keys(rules));
  if (unknown !== null) throw new InvalidInputError(unknown.name, `is not an input of ${name}. ${unknown.hint}`);
  for (const [field, { accepts, means, isRequired }] of Object.entries(rules)) {
    if (!Object.hasOwn(given, field) && isRequired !== true) continue;
    if (!accepts(given[field])) throw new InvalidInputError(field, `must be ${means}, not ${shown(given[field])}`);
  }
}

function assertContext(name: string, input: unknown, context: unknown): void {
  const [permission, call] =
    name in SCOPED ? ['approved, ', `${name}.execute({ … }, { approved, signal })`] : ['', `${name}.execute({ … }, { signal })`];
  if (typeof input !== 'object' || input === null || typeof context !== 'object' || context === null)
    throw new TypeError(`${name} needs an input and a context. Call ${call}.`);
  const { approved, signal } = context as Readonly<Record<string, unknown>>;
  // By their shapes, because a process may have two realms, and two copies of the core.
  if (!hasMethod(signal, 'throwIfAborted'))
    throw new TypeError(`${name} needs a signal in its context. Call ${call} with an AbortSignal, such as AbortSignal.timeout(1_000).`);
  const isAllowed = permission === '' || hasMethod(approved, 'admits') || (approved === null && name === 'getOverview');
  if (!isAllowed) throw new TypeError(`${name} needs a permission in its context. Call ${call} with approved: allowlist.approved().`);
}

function hasMethod(value: unknown, method: string): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, method) === 'function';
}

function shown(value: unknown): string {
  if (isText(value)) return JSON.stringify(quotable(value));
  if (Array.isArray(value)) return `[${quotable(value.filter(isText).join(', '))}]`;
  return typeof value === 'object' && value !== null ? 'an object' : quotable(String(value));
}
