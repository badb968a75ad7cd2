import { nearest, parseRepositoryName } from '@vitrine/core';
import { couldApprove, type OwnerPattern } from './approvals.js';
import { readGitLocation } from './git-location.js';
import { show } from './validation/show.js';
import type { Problem } from './validation/problems.js';
import { LOCAL } from './config.js';
import { sameName } from './config-fields.js';
import { parseDuration } from './duration.js';
import { labelOfAddress, labelOfPath, providerPrefix } from './source-label.js';
import { MONGODB_URI, namesMongo, type Environment } from './environment.js';
import { MONGODB } from './mongo-address.js';

/** Each suggestion compares the name with the whole allowlist. */
const MOST_SUGGESTIONS = 20;

/** Rules between the parts of the file. They read the raw value, so that they also report problems when other keys are invalid. */
export function crossCheck(value: unknown, env: Environment): readonly Problem[] {
  return [
    ...crossCheckApproved(value),
    ...contradictions(value),
    ...repeated(gitRepositories(value)),
    ...repeatedLabels(value),
    ...sharedPrefixes(value),
    ...repeated(textsAt(value, 'sources', 'records')),
    ...onlyOne(textsAt(value, 'sources', 'incidents')),
    ...repeated(textsAt(value, 'services', 'key')),
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

/** A repository can have one git source. Other sources of it are identified by their labels. */
function gitRepositories(value: unknown): readonly Place[] {
  return entriesOf(value, 'sources').flatMap((entry, index) =>
    at(entry, 'git') === undefined ? [] : placeOf(at(entry, 'repository'), ['sources', index, 'repository']),
  );
}

/** The label is the identity of a source. */
function repeatedLabels(value: unknown): readonly Problem[] {
  const seen = new Set<string>();
  return entriesOf(value, 'sources').flatMap((entry, index) => {
    const kind = LABELLED.find((one) => typeof at(entry, one) === 'string');
    const label = kind === undefined ? null : labelOf(entry, kind);
    if (kind === undefined || label === null || !seen.has(`${kind}:${label}`)) {
      seen.add(`${String(kind)}:${String(label)}`);
      return [];
    }
    return [{ path: ['sources', index, kind], message: `has the label ${show(label)}, as another ${kind} source has; write a label of its own` }];
  });
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

/** Rules within the allowlist. */
export function crossCheckApproved(value: unknown): readonly Problem[] {
  return [...repeated(approvedNames(value)), ...repeated(patternPlaces(value))];
}

/** Two patterns of one owner on one server read the same list. */
function patternPlaces(value: unknown): readonly Place[] {
  return textsAt(value, 'approved', 'github').map(({ path, text }) => {
    const api = at(entriesOf(value, 'approved')[Number(path[1])], 'api');
    return { path, text, same: `${sameName(text)} ${typeof api === 'string' ? api : ''}` };
  });
}

/** What a pattern excepts is not shown, also if it is named. A running server obeys that at once; here it is reported. */
function contradictions(value: unknown): readonly Problem[] {
  const named = new Set(approvedNames(value).map(({ same }) => same));
  return entriesOf(value, 'approved').flatMap((entry, index) => {
    const places = entriesOf(entry, 'except').flatMap((name, place) => placeOf(name, ['approved', index, 'except', place]));
    const contradicting = places.filter(({ same }) => named.has(same));
    return contradicting.map(({ path, text }) => ({ path, message: `${show(text)} has an entry of its own in approved; remove one of the two` }));
  });
}

interface Place {
  readonly path: readonly PropertyKey[];
  readonly text: string;
  /** The form in which two values are compared. */
  readonly same: string;
}

function approvedNames(value: unknown): readonly Place[] {
  const plain = entriesOf(value, 'approved').flatMap((entry, index) => placeOf(entry, ['approved', index]));
  return [...plain, ...textsAt(value, 'approved', 'name')];
}

function textsAt(value: unknown, list: string, key: string): readonly Place[] {
  return entriesOf(value, list).flatMap((entry, index) => placeOf(at(entry, key), [list, index, key]));
}

function placeOf(text: unknown, path: readonly PropertyKey[]): readonly Place[] {
  if (typeof text !== 'string') return [];
  return [{ path, text, same: parseRepositoryName(text) === null ? text : sameName(text) }];
}

/** Repository names are compared without case, all other values exactly. */
function repeated(places: readonly Place[]): readonly Problem[] {
  const seen = new Set<string>();
  return places.flatMap(({ path, text, same }) => {
    if (!seen.has(same)) {
      seen.add(same);
      return [];
    }
    return [{ path, message: `${show(text)} appears twice; write it once` }];
  });
}

/** The sources that are skipped. They are not errors: if a repository is removed from `approved`, the server must still start. */
export function skippedSources(value: unknown, patterns: readonly OwnerPattern[]): readonly Problem[] {
  const approved = approvedNames(value);
  const names = new Set(approved.map((place) => place.same));
  const missing = textsAt(value, 'sources', 'repository').filter(({ same, text }) => !names.has(same) && !isPossible(text, patterns));
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

function entriesOf(value: unknown, key: string): readonly unknown[] {
  const list = at(value, key);
  return Array.isArray(list) ? list : [];
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
