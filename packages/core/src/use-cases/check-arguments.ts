import { InvalidInputError } from '../kinds/domain-error.js';
import { isInstant } from '../kinds/instant.js';
import { KINDS, type FilterOf, type ListedKind } from '../kinds/kinds.js';
import { SEARCH_TYPES } from '../kinds/search.js';
import { given, hasMethod, isObject, isText, mistakeIn, orNull, required, wholeUpTo, type Rule, type RulesOf } from '../rules/rules-of-arguments.js';
import { normalizeQuery } from '../rules/search-words.js';
import type { UseCases } from './wire-use-cases.js';
import { MAX_HISTORY_DAYS } from './status/list-service-periods.js';

type ArgumentsOf<Name extends keyof UseCases> = Parameters<UseCases[Name]['execute']>;
type Rules<Name extends keyof UseCases> = RulesOf<ArgumentsOf<Name>[0]>;
type ScopedName = { readonly [Name in keyof UseCases]: 'approved' extends keyof ArgumentsOf<Name>[1] ? Name : never }[keyof UseCases];

function needed(means: string, accepts: Rule['accepts'] = isText): Rule {
  return required({ accepts, means });
}

/** Of the fields of positions, those that are texts. The others are numbers. */
const TEXTS: ReadonlySet<string> = new Set(['id', 'fullName', 'type']);

/** A position may come back from a client. */
function positionOf(...fields: readonly string[]): Rule {
  const accepts = (value: unknown): boolean =>
    fields.every((field) => {
      const part: unknown = isObject(value) ? Reflect.get(value, field) : undefined;
      return TEXTS.has(field) ? isText(part) : Number.isInteger(part);
    });
  return orNull({ accepts, means: 'what the page before has as next' });
}

const filter = orNull({ accepts: (value) => isText(value) || (Array.isArray(value) && value.every(isText)), means: 'a text, a list of texts' });
const instant = orNull({ accepts: isInstant, means: 'a time in milliseconds since 1970, such as Date.now()' });
const range = { from: instant, to: instant };
const repository = orNull({ accepts: isText, means: 'a text such as owner/name' });
const limit = wholeUpTo(100);
const timeList = { limit, after: positionOf('time', 'id'), ...range };

function filtersOf<Kind extends ListedKind>(kind: Kind) {
  return Object.fromEntries(Object.keys(KINDS[kind].filters).map((name) => [name, filter])) as { readonly [Name in FilterOf<Kind>]: Rule };
}

function listOf<Kind extends ListedKind>(kind: Kind) {
  return { ...timeList, repository, ...filtersOf(kind) };
}

const byId = { id: needed('the id of a record, which is a text') };
const byName = { fullName: needed('a text such as owner/name') };
const byKey = { key: needed('the key of a service, which is a text') };
const periods = { ...byKey, limit, after: positionOf('now', 'start'), ...range };

/** Use cases that read what belongs to repositories, so their context has the permission. */
const SCOPED: { readonly [Name in ScopedName]: Rules<Name> } = {
  listCommits: listOf('commit'),
  getCommit: { sha: needed('7 to 64 hexadecimal digits in lower case', (value) => isText(value) && /^[0-9a-f]{7,64}$/.test(value)), repository },
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
    q: needed('what normalizeQuery returns', (value) => isText(value) && normalizeQuery(value) === value),
    types: {
      accepts: (value) => Array.isArray(value) && value.every((type) => SEARCH_TYPES.some((known) => known === type)),
      means: `a list with some of ${SEARCH_TYPES.join(', ')}`,
    },
    limit,
    after: positionOf('tier', 'time', 'type', 'id'),
  },
};

const OPEN: { readonly [Name in Exclude<keyof UseCases, ScopedName>]: Rules<Name> } = {
  listNews: { ...timeList, ...filtersOf('news') },
  getNews: byId,
  getStatus: { days: wholeUpTo(MAX_HISTORY_DAYS) },
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
      const values = given(input);
      const mistake = mistakeIn({ ...values }, rules);
      if (mistake !== null) throw new InvalidInputError(mistake.name, mistake.detail);
      return execute(values, context);
    };
  }
}

/** By the shapes of its parts, because a process may have two realms, and two copies of the core. */
function assertContext(name: string, input: unknown, context: unknown): void {
  const isScoped = name in SCOPED;
  const call = `Call ${name}.execute({ … }, ${isScoped ? '{ approved, signal }' : '{ signal }'})`;
  if (!isObject(input) || !isObject(context)) throw new TypeError(`${name} needs an input and a context. ${call}.`);
  const { approved, signal } = context as Readonly<Record<string, unknown>>;
  if (!hasMethod(signal, 'throwIfAborted'))
    throw new TypeError(`${name} needs a signal in its context. ${call} with an AbortSignal, such as AbortSignal.timeout(1_000).`);
  if (isScoped && !isPermission(approved, name))
    throw new TypeError(`${name} needs a permission in its context. ${call} with approved: allowlist.approved().`);
}

function isPermission(approved: unknown, name: string): boolean {
  return hasMethod(approved, 'admits') || (approved === null && name === 'getOverview');
}
