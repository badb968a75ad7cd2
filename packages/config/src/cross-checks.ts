import { asciiLowerCase, nearest, parseRepositoryName } from '@vitrine/core';
import { approvedNames, contradictions, couldApprove, crossCheckApproved, type OwnerPattern } from './approvals.js';
import { FORGE_KEYS } from './source-file.js';
import { readGitLocation } from './git-location.js';
import { show, type Problem } from './validation/problems.js';
import { LOCAL, RELEASES } from './config.js';
import { DEFAULT_PORT, labelOfAddress, labelOfPath, providerPrefix } from './config-fields.js';
import { parseDuration } from './duration.js';
import { at, entriesOf, type Findings, type Place, placeOf, problemsIn, repeated, textsAt } from './places.js';
import { type Environment, MONGODB, MONGODB_URI, namesMongo } from './environment.js';

/** Each suggestion compares the name with the whole allowlist. */
const MOST_SUGGESTIONS = 20;

/** Rules between the parts of the file. They read the raw value, so that they also report problems when other keys are invalid. */
export function crossCheck(value: unknown, env: Environment): readonly Problem[] {
  const withGit = new Set([...gitRepositories(value), ...forgeRepositories(value)].map(({ same }) => same));
  return [
    ...crossCheckApproved(value),
    ...contradictions(value),
    ...problemsIn(value, 'approved', plainToken),
    ...repeated(gitRepositories(value)),
    ...repeated(forgeRepositories(value)),
    ...problemsIn(value, 'sources', ofForge),
    ...repeatedLabels(value),
    ...problemsIn(value, 'sources', (source) => ofDerived(source, withGit)),
    ...sharedPrefixes(value),
    ...repeated(textsAt(value, 'sources', 'records')),
    // The commands for incidents write into the folder of this source, so there is one at most.
    ...textsAt(value, 'sources', 'incidents')
      .slice(1)
      .map(({ path }) => ({ path, message: SECOND_FOLDER })),
    ...repeated(textsAt(value, 'services', 'key')),
    ...repeated(textsAt(value, 'services', 'token')),
    ...(at(value, 'heartbeats') === undefined
      ? problemsIn(value, 'services', (service) => [['check', at(service, 'check') === 'heartbeat' && UNHEARD]])
      : []),
    ...sharedPort(value, env),
    ...storeProblems(at(value, 'store'), env),
    ...problemsIn(value, 'sources', ofFolder),
    ...problemsIn(value, 'services', neverSlow),
  ];
}

function ofFolder(source: unknown): Findings {
  const [git, hasRemote, isLocal] = [at(source, 'git'), at(source, 'remote') !== undefined, at(source, 'branches') === LOCAL];
  const isAddress = typeof git === 'string' && readGitLocation(git).kind === 'address';
  if (!isAddress) return [['remote', hasRemote && isLocal && `contradicts branches: ${LOCAL}, which shows no remote; remove one of the two`]];
  const unfit = (what: string): string => `${what} is for a folder, but git is a clone address; remove it`;
  return [
    ['remote', hasRemote && unfit('the key remote')],
    ['branches', isLocal && unfit(`the word ${LOCAL}`)],
  ];
}

const SECOND_FOLDER = 'is a second folder of incidents; put its files into the first one, and remove this source';
const UNHEARD = 'needs an address where heartbeats are received; add the key heartbeats, such as heartbeats: { port: 3001 }';

/** The server and the receiver of heartbeats cannot use the same port of the same address. */
function sharedPort(value: unknown, { PORT = '' }: Environment): readonly Problem[] {
  const [server, heartbeats] = [at(value, 'server'), at(value, 'heartbeats')];
  const port = at(heartbeats, 'port');
  const hosts = new Set([at(server, 'host'), at(heartbeats, 'host')]);
  // 0 takes any free port, and the variable PORT decides about the server.
  const areOwn = port === 0 || PORT !== '' || (hosts.size > 1 && !hosts.has(undefined));
  if (areOwn || port !== (at(server, 'port') ?? DEFAULT_PORT)) return [];
  return [{ path: ['heartbeats', 'port'], message: 'is the port of the server too; write another one, such as 3001' }];
}

const DEFAULT_TIMEOUT = '5s';

function neverSlow(service: unknown): Findings {
  const timeout = at(service, 'timeout');
  const [slow, most] = [durationOf(at(service, 'slowAfter')), durationOf(timeout === undefined ? DEFAULT_TIMEOUT : timeout)];
  const isNever = slow !== null && most !== null && slow >= most;
  return [['slowAfter', isNever && 'is not shorter than timeout, so nothing would ever be slow; write a shorter time']];
}

function durationOf(text: unknown): number | null {
  return typeof text === 'string' ? parseDuration(text) : null;
}

function storeProblems(store: unknown, env: Environment): readonly Problem[] {
  if (store === MONGODB && !namesMongo(env))
    return [{ path: ['store'], message: `${MONGODB} has no address; set ${MONGODB_URI} in the environment` }];
  if (at(store, 'path') === undefined || at(store, MONGODB) === undefined) return [];
  return [{ path: ['store', 'path'], message: `cannot be set together with ${MONGODB}, because there is only one store; remove one of the two` }];
}

/** A repository has one forge: two could say different things about whether it is public. */
function forgeRepositories(value: unknown): readonly Place[] {
  return entriesOf(value, 'sources').flatMap((entry, index) => FORGE_KEYS.flatMap((key) => placeOf(at(entry, key), ['sources', index, key])));
}

function ofForge(source: unknown): Findings {
  if (!FORGE_KEYS.some((key) => typeof at(source, key) === 'string')) return [];
  const isUnknown = at(source, 'allowPrivate') === true && at(source, 'url') === undefined;
  return [
    ['allowPrivate', isUnknown && 'needs the key url, because the address of a forge in a private network is not published'],
    ...plainToken(source),
  ];
}

/** A token must not be sent in clear text, except within a private network. */
function plainToken(entry: unknown): Findings {
  const api = at(entry, 'api');
  const isPlain = typeof api === 'string' && /^http:/i.test(api) && at(entry, 'token') !== undefined && at(entry, 'allowPrivate') !== true;
  return [['token', isPlain && 'would be sent without encryption, because api begins with http:; write an https address']];
}

/** A repository can have one git source. Other sources of it are identified by their labels. */
function gitRepositories(value: unknown): readonly Place[] {
  return entriesOf(value, 'sources').flatMap((entry, index) =>
    at(entry, 'git') === undefined ? [] : placeOf(at(entry, 'repository'), ['sources', index, 'repository']),
  );
}

/** The label is the identity of a source. */
function repeatedLabels(value: unknown): readonly Problem[] {
  const labels = entriesOf(value, 'sources').flatMap((entry, index): readonly Place[] => {
    const kind = LABELLED.find((one) => typeof at(entry, one) === 'string');
    const text = kind === undefined ? null : labelOf(entry, kind);
    return kind === undefined || text === null ? [] : [{ path: ['sources', index, kind], text, same: `${kind}:${text}` }];
  });
  return repeated(labels, ({ path, text }) => `has the label ${show(text)}, as another ${String(path[2])} source has; write a label of its own`);
}

/** Articles and changelogs that are read from another source of the same repository. A source of a forge has a git source too. */
function ofDerived(source: unknown, withGit: ReadonlySet<string>): Findings {
  const isGit = at(source, 'from') === 'git';
  if (!isGit && at(source, 'changelog') !== RELEASES) return [];
  return [[isGit ? 'from' : 'changelog', derivedProblem(source, isGit, withGit)]];
}

function derivedProblem(source: unknown, isGit: boolean, withGit: ReadonlySet<string>): string | false {
  const repository = at(source, 'repository');
  if (typeof repository !== 'string') return 'needs the key repository; write repository: owner/name';
  if (!isGit) return false;
  if (isOutside(String(at(source, 'articles') ?? at(source, 'changelog'))))
    return 'needs a path within the repository; write a path such as docs/articles';
  return !withGit.has(asciiLowerCase(repository)) && `needs a git source of ${show(repository)}; add one, or remove this key`;
}

function isOutside(path: string): boolean {
  return /^(?:[/\\]|[A-Za-z]:)/.test(path) || path.split(/[/\\]/).includes('..');
}

const LABELLED = ['feed', 'video', 'articles', 'changelog', 'statuspage'] as const;

function labelOf(entry: unknown, kind: (typeof LABELLED)[number]): string | null {
  const [origin, label, repository] = [at(entry, kind), at(entry, 'label'), at(entry, 'repository')];
  if (typeof label === 'string') return label;
  if (typeof origin !== 'string') return null;
  if (kind === 'feed' || kind === 'video' || kind === 'statuspage') return labelOfAddress(origin);
  return labelOfPath(kind, origin, typeof repository === 'string' ? asciiLowerCase(repository) : null);
}

/** A status page chooses the rest of its keys and ids. If others had the same prefix, it could replace their services and incidents. */
function sharedPrefixes(value: unknown): readonly Problem[] {
  const owners = new Map<string, string | null>(textsAt(value, 'services', 'key').map(({ text }) => [text.split(':', 1)[0] ?? '', null]));
  return entriesOf(value, 'sources').flatMap((entry, index) => {
    const label = typeof at(entry, 'statuspage') === 'string' ? labelOf(entry, 'statuspage') : null;
    if (label === null) return [];
    const prefix = providerPrefix(label);
    const owner = owners.get(prefix);
    if (owner === undefined) owners.set(prefix, label);
    // The same label is reported as such.
    if (owner === undefined || owner === label) return [];
    const other = owner === null ? 'a service of the configuration' : `the status page ${show(owner)}`;
    const message = `has the label ${show(label)}, so its services would get keys that begin with ${prefix}: as ${other} has; write another label`;
    return [{ path: ['sources', index, 'statuspage'], message }];
  });
}

/** The sources that are skipped. They are not errors: if a repository is removed from `approved`, the server must still start. */
export function skippedSources(value: unknown, patterns: readonly OwnerPattern[]): readonly Problem[] {
  const approved = approvedNames(value);
  const names = new Set(approved.map((place) => place.same));
  const named = [...textsAt(value, 'sources', 'repository'), ...forgeRepositories(value)];
  const missing = named.filter(({ same, text }) => !names.has(same) && !isPossible(text, patterns));
  const known = approved.map((place) => place.text);
  return missing.map(({ path, text }, index) => ({
    path,
    message: `${show(text)} is not approved, so this source is skipped. ${remedyFor(text, index < MOST_SUGGESTIONS ? known : [])}`,
  }));
}

function isPossible(text: string, patterns: readonly OwnerPattern[]): boolean {
  const name = parseRepositoryName(text);
  return name !== null && couldApprove(patterns, name);
}

function remedyFor(text: string, known: readonly string[]): string {
  const near = nearest(text, known);
  return `${near === null ? '' : `Did you mean ${show(near)}? `}Add the repository to approved, or remove the source.`;
}
