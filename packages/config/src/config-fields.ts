import { holdsEmail, isForgeId, parseRepositoryName, type RepositoryName, withoutFinalSlashes } from '@vitrine/core';
import { basename } from 'node:path';
import { HOST_RULE, isHost, MONGO_RULE, parseMongoAddress, parsePort, PORT_RULE } from './environment.js';
import { isBranchPattern, readGitLocation } from './git-location.js';
import { isWebAddress, leaf, privateLeaf, Refusal, textLeaf, privateText } from './validation/problems.js';

const SERVICE_KEY = /^[A-Za-z0-9_.:-]{1,64}$/;

export const port = leaf(PORT_RULE, (value) => parsePort(value) ?? new Refusal(typeof value === 'number' ? 'is out of range' : 'is not a port'));

export const host = leaf(HOST_RULE, (value) => (isHost(value) ? value : new Refusal('is not a host')));

export const publicAddress = leaf('an absolute http or https address without query, such as https://example.org/vitrine', readPublicAddress);

/** Letters that need no encoding, because every address of a page begins with the path. */
const PLAIN_PATH = /^(?:\/[\w.~-]+)*\/?$/;

/** The address of this server. Its path is the base path of the pages and of the API. */
export const ownAddress = leaf('an absolute http or https address with a plain path or none, such as https://example.org/vitrine', (value) => {
  const address = readPublicAddress(value);
  return typeof address !== 'string' || PLAIN_PATH.test(new URL(address).pathname) ? address : new Refusal('has a path that must be encoded');
});

/** The address of a service that is published; `false`: none is. */
export const publishedAddress = leaf<string | false>('an absolute http or https address without query, or false', (value) =>
  value === false ? false : readPublicAddress(value),
);

export const repositoryAddress = leaf("the repository's public address, such as https://code.example.org/acme/widget", readPublicAddress);

export const apiAddress = leaf('the address of its API, such as https://github.acme.example/api/v3', readPublicAddress);

const ADDRESS_OF_REPOSITORY = /^(?:https?:\/\/|ssh:\/\/|git@)[^/:]+[/:]([^/]+\/[^/]+?)(?:\.git)?\/?$/;

export const repositoryName = leaf('owner/name, each of A-Z a-z 0-9 . _ -', (value): RepositoryName | Refusal => {
  if (typeof value !== 'string') return new Refusal('is not a repository name');
  return parseRepositoryName(value) ?? new Refusal(whyNoName(value));
});

function whyNoName(text: string): string {
  const [, addressed = ''] = ADDRESS_OF_REPOSITORY.exec(text) ?? [];
  if (parseRepositoryName(addressed) !== null) return `is the address of ${addressed}`;
  return text.endsWith('/*') ? 'is a pattern, which is written as { github: "owner/*" }, and not a repository name' : 'is not a repository name';
}

/** Parsed to the name of the owner. */
export const ownerPattern = leaf('"owner/*" in quotes: all public repositories of one owner', (value) => {
  const [, owner = ''] = typeof value === 'string' ? (/^([^/]+)\/\*$/.exec(value) ?? []) : [];
  return parseRepositoryName(`${owner}/name`)?.owner ?? new Refusal('is not such a pattern');
});

/** Ids of forges are often numbers, so YAML numbers are accepted. */
export const forgeId = leaf("the forge's own id of the repository, of A-Z a-z 0-9 _ . : = -", (value) => {
  const text = Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' && isForgeId(text) ? text : new Refusal('is not an id');
});

export const serviceKey = textLeaf(
  'provider:component of A-Z a-z 0-9 _ . : -, at most 64 characters',
  'is not a service key',
  (value) => SERVICE_KEY.test(value) && value.includes(':'),
);

export const label = textLeaf('a text of 1 to 255 characters', 'is not such a text', (value) => value.trim() !== '' && value.length <= 255);

export const groupName = leaf('a text of 1 to 100 characters', (value) =>
  typeof value === 'string' && value.trim() !== '' && value.length <= 100 ? value.trim() : new Refusal('is not such a text'),
);

const HOME = /^~(?:\/|$)/;
const HOME_REFUSAL = 'begins with ~, which only a shell replaces by a folder';

export const path = leaf('a path, in quotes where it holds special characters', readPath);

export function readPath(value: unknown): string | Refusal {
  if (typeof value !== 'string' || value === '' || value.includes('\0')) return new Refusal('is not a path');
  return HOME.test(value) ? new Refusal(HOME_REFUSAL) : value;
}

/** Without characters that occur in paths and addresses, because the id of the source is published. */
const SOURCE_LABEL = /^[^/\\@\p{C}]{1,100}$/u;

function isSourceLabel(text: string): boolean {
  return SOURCE_LABEL.test(text) && text.trim() === text && !holdsEmail(text);
}

export const sourceLabel = textLeaf('a text of 1 to 100 characters without / \\ @', 'is not such a text', isSourceLabel);

/** The address of a document that is fetched. It may have a query. Credentials do not belong in the configuration file. */
export const documentAddress = textLeaf('an absolute http or https address without user name and password', 'is not a web address', (value) =>
  isWebAddress(value),
);

export const languageTag = textLeaf('a language tag, such as en or pt-BR', 'is not a language', (value) =>
  /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i.test(value),
);

export const connectionString = privateLeaf(MONGO_RULE, (value) => parseMongoAddress(value) ?? new Refusal('is not a connection string'));

/** Rejects texts that git would read as an option or a command, and addresses with a password: credentials come from the environment. */
export const gitLocation = leaf('the path of a repository, or a clone address (http, https, ssh, git, file) without credentials', (value) => {
  if (typeof value !== 'string' || value.startsWith('-') || readGitLocation(value).kind === 'malformed')
    return new Refusal('is not a location that git may read');
  return HOME.test(value) ? new Refusal(HOME_REFUSAL) : value;
});

/** The name of a remote. The rules of git are stricter. */
export const remoteName = textLeaf(
  "the name of one of the folder's remotes, such as origin",
  'is not a name of a remote',
  (value) => isBranchPattern(value) && !value.includes('*'),
);

export const branchPattern = textLeaf('the name of a branch, or a pattern such as release/*', 'is not a branch', isBranchPattern);

/** The name of the environment variable that contains a token. Most tokens have small letters, so they are not taken for names. Messages do not show the value, because it may be a token. */
export const tokenVariable = privateText(
  'the name of an environment variable in capital letters, such as ACME_TOKEN, and never the token itself',
  'is not such a name',
  (value) => /^[A-Z_][A-Z0-9_]{0,99}$/.test(value),
);

/** The environment variable that holds the token of a forge, and whether it must be set. The token is sent to the host of the API only. */
export interface ForgeToken {
  readonly variable: string;
  readonly isRequired: boolean;
}

export const GITHUB_API = 'https://api.github.com';

/** Only public GitHub has a variable that need not be named. @param variable the named one */
export function tokenOf(variable: string | undefined, api: string): ForgeToken | null {
  if (variable !== undefined) return { variable, isRequired: true };
  return api === GITHUB_API ? { variable: 'GITHUB_TOKEN', isRequired: false } : null;
}

/** A forge source has a git source unless it says that it has none. */
export const noGit = leaf('false, or remove the key', (value) => (value === false ? false : new Refusal('is not known')));

export const yesOrNo = leaf('true or false', (value) => (typeof value === 'boolean' ? value : new Refusal('is not known')));

export function oneOf<const Value extends string>(values: readonly Value[]) {
  return leaf(
    values.length === 1 ? (values[0] ?? '') : `one of ${values.join(', ')}`,
    (value) => values.find((known) => known === value) ?? new Refusal('is not known'),
  );
}

export function wholeNumber(least: number, most: number) {
  return leaf(`a whole number from ${String(least)} to ${String(most)}`, (value) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) return new Refusal('is not a whole number');
    return value < least || value > most ? new Refusal('is out of range') : value;
  });
}

/** Without a final slash, so that paths can be appended. */
function readPublicAddress(value: unknown): string | Refusal {
  if (typeof value !== 'string' || !isWebAddress(value) || /[?#]/.test(value)) return new Refusal('is not a public address');
  // The store rejects every record whose URL contains an e-mail address.
  return holdsEmail(value) ? new Refusal('holds an e-mail address') : withoutFinalSlashes(value);
}

export const sentence = textLeaf('a text of 1 to 500 characters', 'is not such a text', (value) => value.trim() !== '' && value.length <= 500);

export const linkAddress = textLeaf('an absolute http or https address', 'is not a web address', isWebAddress);

/** The port of the server, if nothing names another one. */
export const DEFAULT_PORT = 3_000;

/** The label of a feed that has none: its host. */
export function labelOfAddress(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : address;
}

const LONGEST_PREFIX = 20;

/** The first part of the service keys and incident ids that a provider's status page brings. @param label of the source */
export function providerPrefix(label: string): string {
  return slug(label, LONGEST_PREFIX) || 'provider';
}

/** The words of a text for a key: `build-server`. Empty if it has no letter and no digit of ASCII. */
export function slug(text: string, most: number): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, most).replace(/-$/, '');
}

/** The label of a folder or a file that has none: its repository, or else the name of the folder. */
export function labelOfPath(kind: 'articles' | 'changelog', path: string, repository: string | null): string {
  if (repository !== null) return repository;
  const name = kind === 'articles' ? basename(path) : kind;
  return isSourceLabel(name) && !name.startsWith('.') ? name : kind;
}
