import { nearest, parseRepositoryName } from '@vitrine/core';
import { approvedNames, contradictions, couldApprove, crossCheckApproved, type OwnerPattern } from './approvals.js';
import { FORGE_KEYS } from './source-schemas.js';
import { readGitLocation } from './git-location.js';
import { show, type Problem } from './validation/problems.js';
import { LOCAL, RELEASES } from './config.js';
import { DEFAULT_PORT, labelOfAddress, labelOfPath, providerPrefix, sameName } from './config-fields.js';
import { parseDuration } from './duration.js';
import { at, entriesOf, type Place, placeOf, plainTokenProblems, repeated, textsAt } from './places.js';
import { type Environment, MONGODB, MONGODB_URI, namesMongo } from './environment.js';

const HEARTBEAT = 'heartbeat';

/** Each suggestion compares the name with the whole allowlist. */
const MOST_SUGGESTIONS = 20;

/** Rules between the parts of the file. They read the raw value, so that they also report problems when other keys are invalid. */
export function crossCheck(value: unknown, env: Environment): readonly Problem[] {
  return [
    ...crossCheckApproved(value),
    ...contradictions(value),
    ...entriesOf(value, 'approved').flatMap((entry, index) => plainTokenProblems(entry, ['approved', index])),
    ...repeated(gitRepositories(value)),
    ...repeated(forgeRepositories(value)),
    ...entriesOf(value, 'sources').flatMap(forgeProblems),
    ...repeatedLabels(value),
    ...derivedProblems(value),
    ...sharedPrefixes(value),
    ...repeated(textsAt(value, 'sources', 'records')),
    ...onlyOne(textsAt(value, 'sources', 'incidents')),
    ...repeated(textsAt(value, 'services', 'key')),
    ...repeated(textsAt(value, 'services', 'token')),
    ...unheardHeartbeats(value),
    ...sharedPort(value, env),
    ...storeProblems(at(value, 'store'), env),
    ...entriesOf(value, 'sources').flatMap(folderProblems),
    ...entriesOf(value, 'services').flatMap(slowProblems),
  ];
}

/** The commands for incidents write into the folder of this source, so there is one at most. */
function onlyOne([, ...more]: readonly Place[]): readonly Problem[] {
  return more.map(({ path }) => ({ path, message: 'is a second folder of incidents; put its files into the first one, and remove this source' }));
}

/** Options that only a folder can have: remotes and local branches. */
function folderProblems(source: unknown, index: number): readonly Problem[] {
  const [git, remote, isLocal] = [at(source, 'git'), at(source, 'remote'), at(source, 'branches') === LOCAL];
  const path = (key: string) => ['sources', index, key];
  if (typeof git === 'string' && readGitLocation(git).kind === 'address') {
    const message = (key: string) => `${key} is for a folder, but git is a clone address; remove it`;
    return [
      ...(remote === undefined ? [] : [{ path: path('remote'), message: message('the key remote') }]),
      ...(isLocal ? [{ path: path('branches'), message: message(`the word ${LOCAL}`) }] : []),
    ];
  }
  if (remote === undefined || !isLocal) return [];
  return [{ path: path('remote'), message: `contradicts branches: ${LOCAL}, which shows no remote; remove one of the two` }];
}

/** Heartbeats need an address at which they are received. */
function unheardHeartbeats(value: unknown): readonly Problem[] {
  if (at(value, 'heartbeats') !== undefined) return [];
  const services = textsAt(value, 'services', 'check').filter(({ text }) => text === HEARTBEAT);
  const message = 'needs an address where heartbeats are received; add the key heartbeats, such as heartbeats: { port: 3001 }';
  return services.map(({ path }) => ({ path, message }));
}

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

function slowProblems(service: unknown, index: number): readonly Problem[] {
  const [slowAfter, timeout = DEFAULT_TIMEOUT] = [at(service, 'slowAfter'), at(service, 'timeout')];
  if (typeof slowAfter !== 'string' || typeof timeout !== 'string') return [];
  const [slow, most] = [parseDuration(slowAfter), parseDuration(timeout)];
  if (slow === null || most === null || slow < most) return [];
  const message = 'is not shorter than timeout, so nothing would ever be slow; write a shorter time';
  return [{ path: ['services', index, 'slowAfter'], message }];
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

/** Rules between the keys of a forge source. */
function forgeProblems(source: unknown, index: number): readonly Problem[] {
  if (!FORGE_KEYS.some((key) => typeof at(source, key) === 'string')) return [];
  const isPrivate = at(source, 'allowPrivate') === true;
  const path = ['sources', index];
  return [
    ...(isPrivate && at(source, 'url') === undefined
      ? [{ path: [...path, 'allowPrivate'], message: 'needs the key url, because the address of a forge in a private network is not published' }]
      : []),
    ...plainTokenProblems(source, path),
  ];
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
function derivedProblems(value: unknown): readonly Problem[] {
  const withGit = new Set([...gitRepositories(value), ...forgeRepositories(value)].map(({ same }) => same));
  return entriesOf(value, 'sources').flatMap((entry, index) => {
    const isGit = at(entry, 'from') === 'git';
    const message = isGit || at(entry, 'changelog') === RELEASES ? derivedProblem(entry, isGit, withGit) : null;
    return message === null ? [] : [{ path: ['sources', index, isGit ? 'from' : 'changelog'], message }];
  });
}

function derivedProblem(entry: unknown, isGit: boolean, withGit: ReadonlySet<string>): string | null {
  const repository = at(entry, 'repository');
  if (typeof repository !== 'string') return 'needs the key repository; write repository: owner/name';
  if (!isGit) return null;
  if (isOutside(String(at(entry, 'articles') ?? at(entry, 'changelog'))))
    return 'needs a path within the repository; write a path such as docs/articles';
  return withGit.has(sameName(repository)) ? null : `needs a git source of ${show(repository)}; add one, or remove this key`;
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
  return labelOfPath(kind, origin, typeof repository === 'string' ? sameName(repository) : null);
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
