import { type Instant, KINDS, type SearchType } from '@vitrine/core';

/** What the navigation can lead to, in its order. */
export const PLACES = ['status', 'releases', 'commits', 'repositories', 'news', 'findings', 'missions', 'articles', 'videos'] as const;
export type PlaceName = (typeof PLACES)[number];

/** The lists that have a page. */
export type ListName = Exclude<PlaceName, 'status'>;

/** Where the records of a type are. */
export function placeOf(type: SearchType): PlaceName {
  if (type === 'status-service' || type === 'incident') return 'status';
  return type === 'repository' ? 'repositories' : KINDS[type].plural;
}

const STATUS_FOLDERS: Readonly<Partial<Record<SearchType, string>>> = { 'status-service': '/services', incident: '/incidents' };

/** A copy of the site as files, which any host serves. Its pages have no forms, and link only to files of the copy. */
export interface SiteCopy {
  /** When the copy is made. */
  readonly madeAt: Instant;
  /** The public address of the copy, without a slash at its end. */
  readonly publicUrl: string;
  /** The address of the file that stands for an address of Vitrine; `null` if the copy has none. Both are without the base path. */
  readonly addressOf: (address: string) => string | null;
}

/** A value for `href`. Without one, an element of HTML is no link. */
export type Href = string | undefined;

/**
 * The paths of the pages. In a copy of the site they are `undefined` where the copy has no file.
 *
 * @param basePath the prefix of each
 */
export class PageLinks {
  readonly #basePath: string;
  readonly #copy: SiteCopy | null;

  constructor(basePath: string, copy: SiteCopy | null = null) {
    this.#basePath = basePath;
    this.#copy = copy;
  }

  /** A path of Vitrine, such as `/status`, below the base path. @param id of the part of that page to show */
  to(path: string, id?: string): Href {
    const address = this.#copy === null ? path : this.#copy.addressOf(path);
    return address === null ? undefined : `${this.#basePath}${address}${id === undefined ? '' : `#${id}`}`;
  }

  /** The path that stands for a page in its own head, without the base path. */
  canonical(path: string): string {
    return this.#copy?.addressOf(path) ?? path;
  }

  /** An absolute address. In a copy of the site, one of the site itself is replaced like a path. */
  absolute(address: string): Href {
    const own = this.#copy === null ? null : `${this.#copy.publicUrl}/`;
    if (own === null || !address.startsWith(own)) return address;
    const [path = '', anchor] = address.slice(own.length - 1).split('#', 2);
    const target = this.to(path);
    return target === undefined || anchor === undefined ? target : `${target}#${anchor}`;
  }

  list(name: ListName, filters: Readonly<Record<string, string>> = {}): Href {
    const query = new URLSearchParams(filters).toString();
    return this.to(`/${name}${query === '' ? '' : `?${query}`}`);
  }

  /** @param id the public id: `owner/name@sha` of a commit, the full name of a repository, the key of a service */
  record(type: SearchType, id: string): Href {
    const name = type === 'repository' ? id.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(id);
    return this.to(`/${placeOf(type)}${STATUS_FOLDERS[type] ?? ''}/${name}`);
  }

  /** The JSON of a page. @param path the path of the endpoint below `/api/v1` */
  api(path: string): Href {
    return this.to(`/api/v1${path}`);
  }
}

/** Where a page and its neighbours are. All paths are without the base path. */
export interface PageAddress {
  /** The canonical path and query. */
  readonly path: string;
  /** The same data as JSON. */
  readonly json: string | null;
}

/** The addresses of one page of a list. */
export interface ListAddress extends PageAddress {
  /** `null` on the last page. */
  readonly next: string | null;
  /** The first page with the same filters; `null` on the first page. */
  readonly first: string | null;
}
