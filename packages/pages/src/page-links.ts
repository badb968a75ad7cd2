import type { ListedKind, SearchType } from '@vitrine/core';

/** The records that have a page of their own. */
export type PageType = SearchType | Exclude<ListedKind, 'build'>;

/** The lists that have a page. */
export type ListName = 'commits' | 'releases' | 'findings' | 'missions' | 'news' | 'articles' | 'videos' | 'repositories';

const FOLDERS: Readonly<Record<Exclude<PageType, 'repository'>, string>> = {
  article: '/articles/',
  commit: '/commits/',
  finding: '/findings/',
  incident: '/status/incidents/',
  mission: '/missions/',
  news: '/news/',
  release: '/releases/',
  'status-service': '/status/services/',
  video: '/videos/',
};

/** The paths of the pages. @param basePath what stands before each of them */
export class PageLinks {
  readonly #basePath: string;

  constructor(basePath: string) {
    this.#basePath = basePath;
  }

  /** A path of Vitrine, such as `/status`, below the base path. */
  to(path: string): string {
    return this.#basePath + path;
  }

  list(name: ListName, filters: Readonly<Record<string, string>> = {}): string {
    const query = new URLSearchParams(filters).toString();
    return this.to(`/${name}${query === '' ? '' : `?${query}`}`);
  }

  /** @param id the public id: `owner/name@sha` of a commit, the full name of a repository, the key of a service */
  record(type: PageType, id: string): string {
    if (type === 'repository') return this.to(`/repositories/${id.split('/').map(encodeURIComponent).join('/')}`);
    return this.to(FOLDERS[type] + encodeURIComponent(id));
  }

  /** The JSON of a page. @param path the path of the endpoint below `/api/v1` */
  api(path: string): string {
    return this.to(`/api/v1${path}`);
  }
}
