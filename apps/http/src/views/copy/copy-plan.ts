import { createHash } from 'node:crypto';
import { asciiLowerCase, type Instant, type SearchType } from '@vitrine/core';
import type { SiteCopy } from '@vitrine/pages';
import type { Endpoint, PathValues } from '../../serving/router.js';
import { imageRoute } from '../articles.js';
import { badgeRoutes } from '../badges.js';
import { getRepositoryRoute } from '../repositories.js';
import type { Route } from '../shared/route.js';
import { pathsOf } from '../shared/schema.js';
import { pageRoutes, ROUTE_OF, routeTable } from '../table.js';

const LONGEST = 100;

/** Names that every file system and every host takes as they are, in an address, too. In lower case, because some file systems ignore the case. */
const PLAIN = /^[a-z0-9][a-z0-9._@-]*(?::[a-z0-9][a-z0-9._@-]*)*$/;

/** Files of the copy end like this, so folders must not. */
const LIKE_A_FILE = /\.(?:json|html)$|\.$/;

/**
 * The path of files for a path parameter, such as an id. Different values have different paths. Ids come from other servers, so nothing in them can lead out
 * of its folder: a part that is not plain is replaced by its letters and a hash.
 */
export function fileNameOf(value: string): string {
  return value.split('/').map(segmentOf).join('/');
}

function segmentOf(text: string): string {
  // Windows and artifacts of CI servers take no colon.
  return text.length <= LONGEST && PLAIN.test(text) && !LIKE_A_FILE.test(text) ? text.replaceAll(':', '~') : `${lettersOf(text)}~_${hashOf(text)}`;
}

function lettersOf(text: string): string {
  const words = text
    .toLowerCase()
    .slice(0, LONGEST)
    .match(/[a-z0-9]+/g) ?? ['x'];
  return words.join('-').slice(0, 60);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

export interface CopiedFile {
  /** Its path below the folder of the copy, with `/` between its parts. */
  readonly path: string;
  readonly content: Buffer;
}

export interface PlannedFile {
  /** Its path below the folder of the copy, with `/` between its parts. */
  readonly file: string;
  /** The path template of the endpoint whose answer it holds. */
  readonly path: string;
  readonly params: PathValues;
  /** The type and the id of the record that it shows; empty for other files. */
  readonly record: string;
}

/** A route; of a page, with the endpoint that answers the same as JSON. */
type CopiedRoute = Pick<Route, 'path' | 'pathParameters'> & { readonly endpoint?: Route };

const ALL: readonly CopiedRoute[] = [...routeTable, ...pageRoutes, ...Object.values(badgeRoutes).flat()];

/** The routes of a record of a type: its JSON, its page, and others with the same parameters, such as badges. */
function routesOf(type: SearchType): readonly [CopiedRoute, ...CopiedRoute[]] {
  const json = type === 'repository' ? getRepositoryRoute : ROUTE_OF[type];
  const names = namesOf(json);
  // Records of many types have an id.
  const isOwn = (route: CopiedRoute): boolean => route.endpoint === json || (names !== 'id' && namesOf(route) === names);
  return [json, ...ALL.filter((route) => route !== json && isOwn(route))];
}

function namesOf({ pathParameters }: CopiedRoute): string {
  return pathParameters.map(({ name }) => name).join('/');
}

/** Types whose ids name the same in upper and in lower case. */
const WITHOUT_CASE: ReadonlySet<SearchType> = new Set(['commit', 'repository']);

const API = '/api/';

/** JSON is made first: each record that it shows is included in the copy, so that no link of the JSON is dead. Pages then link to what is included. */
export class CopyPlan implements SiteCopy {
  readonly #addresses = new Map<string, { readonly address: string; readonly record: string }>();
  readonly #own = new Set<string>();
  readonly #routes = new Map<SearchType, ReturnType<typeof routesOf>>();
  #json: PlannedFile[] = [];
  #documents: PlannedFile[] = [];

  /**
   * @param publicUrl without a slash at its end
   * @param logoEnding the ending of the file of the logo, such as `.svg`; hosts know types of files by their endings
   */
  constructor(
    readonly madeAt: Instant,
    readonly publicUrl: string,
    private readonly logoEnding: string,
  ) {}

  includeFixed({ path }: Pick<Endpoint, 'path'>): void {
    this.#include({ path, pathParameters: [] }, [], '');
  }

  /** Includes a record with everything that is shown of it. Does nothing for one that is included. @returns the address of its JSON */
  include(type: SearchType, id: string): string {
    const isFolded = WITHOUT_CASE.has(type);
    const own = isFolded ? asciiLowerCase(id) : id;
    const [first, ...others] = this.#routesOf(type);
    const values = first.pathParameters.length === 1 ? [own] : own.split('/');
    const record = `${type} ${own}`;
    const address = this.#include(first, values, record, isFolded);
    for (const route of others) this.#include(route, values, record, isFolded);
    return address;
  }

  includeImage(name: string): void {
    this.#include(imageRoute, [name], `image ${name}`);
  }

  /** Whether an address of the copy, with its public address, names a file of it. */
  holds(address: string): boolean {
    return this.#own.has(address.slice(this.publicUrl.length));
  }

  addressOf(address: string): string | null {
    return (this.#addresses.get(address) ?? this.#addresses.get(foldedKey(address)))?.address ?? null;
  }

  takeJson(): readonly PlannedFile[] {
    return this.#json.splice(0);
  }

  /** All other files that were included since the last call: assets, records, pages that link to records, and last the overview. */
  takeDocuments(): readonly PlannedFile[] {
    return this.#documents.splice(0).sort((a, b) => rankOf(a) - rankOf(b));
  }

  forget({ record }: PlannedFile): void {
    [this.#json, this.#documents] = [this.#json, this.#documents].map((files) => files.filter((planned) => planned.record !== record)) as [
      PlannedFile[],
      PlannedFile[],
    ];
    for (const [key, included] of this.#addresses)
      if (included.record === record) {
        this.#addresses.delete(key);
        this.#own.delete(included.address);
      }
  }

  #routesOf(type: SearchType): ReturnType<typeof routesOf> {
    const found = this.#routes.get(type) ?? routesOf(type);
    this.#routes.set(type, found);
    return found;
  }

  #include({ path, pathParameters }: CopiedRoute, values: readonly string[], record: string, isFolded = false): string {
    const known = pathsOf({ path })(...values);
    const key = isFolded ? foldedKey(known) : known;
    const included = this.#addresses.get(key);
    if (included !== undefined) return included.address;
    const address = this.#addressFor(path, values);
    this.#addresses.set(key, { address, record });
    this.#own.add(address);
    const params = Object.fromEntries(pathParameters.map(({ name }, index) => [name, values[index] ?? '']));
    (path.startsWith(API) ? this.#json : this.#documents).push({ file: fileOf(address), path, params, record });
    return address;
  }

  #addressFor(template: string, values: readonly string[]): string {
    const names = values.map(fileNameOf);
    const path = template.replace(/\{\w+\}/g, () => names.shift() ?? '');
    if (template.startsWith(API)) return `${path}.json`;
    if (template === LOGO) return path + this.logoEnding;
    return hasEnding(template) || template === '/' || template === imageRoute.path ? path : `${path}/`;
  }
}

const LOGO = '/logo';

/** Of an address in which the case of letters means nothing. It is the key of no other address. */
function foldedKey(address: string): string {
  return ` ${asciiLowerCase(address)}`;
}

function rankOf({ path, record }: PlannedFile): number {
  if (path.startsWith('/assets/') || path === imageRoute.path) return 0;
  if (record !== '') return 1;
  return path === '/' ? 3 : 2;
}

/** Whether the last part of a template names a file, such as `state.svg`. */
function hasEnding(template: string): boolean {
  return /\.\w+$/.test(template);
}

function fileOf(address: string): string {
  return address.endsWith('/') ? `${address.slice(1)}index.html` : address.slice(1);
}
