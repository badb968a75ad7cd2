import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A repository in the shape of GitHub's REST API, as far as it matters. */
export function aRepository(name: string, id: number, over: object = {}) {
  return {
    id,
    node_id: `R_${String(id)}`,
    name,
    full_name: `acme/${name}`,
    private: false,
    owner: { login: 'acme', id: 42, type: 'Organization' },
    html_url: `https://github.com/acme/${name}`,
    description: null,
    fork: false,
    archived: false,
    visibility: 'public',
    default_branch: 'main',
    ...over,
  };
}

/** Answers what GitHub would: the repositories of `acme` in pages, with entity tags. */
export class OwnerServer {
  repositories: readonly unknown[] = [];
  perPage = 100;
  /** Answers instead, if it returns `true`. */
  instead: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  readonly requests: { readonly url: string; readonly status: number; readonly authorization: string | undefined }[] = [];
  readonly #server: Server = createServer((request, response) => {
    if (!this.instead(request, response)) this.#answer(request, response);
    this.requests.push({ url: request.url ?? '', status: response.statusCode, authorization: request.headers.authorization });
  });

  static async listen(): Promise<OwnerServer> {
    const server = new OwnerServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()).closeAllConnections());
  }

  #answer({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(url, this.origin);
    if (pathname.toLowerCase() !== '/users/acme/repos') {
      response.writeHead(404).end('{"message":"Not Found"}');
      return;
    }
    const page = Number(searchParams.get('page') ?? 1);
    const part = this.repositories.slice((page - 1) * this.perPage, page * this.perPage);
    const body = JSON.stringify(part);
    const etag = `W/"${String(body.length)}-${body.slice(0, 40).replace(/\W/g, '')}"`;
    searchParams.set('page', String(page + 1));
    const link = page * this.perPage < this.repositories.length ? { link: `<${this.origin}${pathname}?${searchParams.toString()}>; rel="next"` } : {};
    if (headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
    else response.writeHead(200, { etag, ...link, 'content-type': 'application/json' }).end(body);
  }
}
