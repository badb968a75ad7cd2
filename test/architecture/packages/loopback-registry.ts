import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** One installed version of a package. */
interface Installed {
  readonly manifest: Manifest;
  readonly folder: string;
}

/**
 * A package registry on loopback that serves what is installed in a workspace already, so that npm can install from it without a network.
 * It knows as much of the protocol as `npm install` asks for: the versions of a package, and their tarballs.
 */
export class LoopbackRegistry {
  readonly #server = createServer((request, response) => {
    this.#answer(request, response);
  });
  readonly #packages = new Map<string, Installed[]>();

  /** @param store the folder `.pnpm` of the workspace */
  constructor(store: string) {
    for (const { name: entry } of readdirSync(store, { withFileTypes: true }).filter((found) => found.isDirectory()))
      for (const folder of realPackagesIn(join(store, entry, 'node_modules'))) this.#add(folder);
  }

  /** Listens; resolves with the address. */
  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}/`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #add(folder: string): void {
    const file = join(folder, 'package.json');
    if (!existsSync(file)) return;
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
    const known = this.#packages.get(manifest.name) ?? [];
    if (!known.some(({ manifest: other }) => other.version === manifest.version)) this.#packages.set(manifest.name, [...known, { manifest, folder }]);
  }

  #answer({ url = '/', headers: { host = '' } }: IncomingMessage, response: ServerResponse): void {
    const [path = '', version] = decodeURIComponent(url.slice(1)).split('?v=');
    const found = this.#packages.get(path);
    const wanted = found?.find(({ manifest }) => manifest.version === version);
    if (wanted !== undefined) sendTarball(wanted.folder, response);
    else if (found !== undefined) response.setHeader('Content-Type', 'application/json').end(JSON.stringify(packument(path, found, host)));
    else response.writeHead(404).end('{}');
  }
}

/** The packages of a `node_modules` that are folders, not links to other packages. */
function realPackagesIn(modules: string): string[] {
  if (!existsSync(modules)) return [];
  const entries = readdirSync(modules, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return entries.flatMap(({ name }) => (name.startsWith('@') ? realPackagesIn(join(modules, name)) : [join(modules, name)]));
}

function packument(name: string, found: readonly Installed[], host: string) {
  const versions = found.map(({ manifest }) => {
    const tarball = `http://${host}/${encodeURIComponent(name)}?v=${manifest.version}`;
    return [manifest.version, { ...manifest, dist: { tarball } }] as const;
  });
  return { name, 'dist-tags': { latest: found.at(-1)?.manifest.version }, versions: Object.fromEntries(versions) };
}

/** No program and no compiler reads these. Without them npm writes a quarter fewer files. Some packages have a folder of their own that is called node_modules, inside others. */
const isUnread = (file: string, folder: string): boolean => /\.(map|md|markdown)$/i.test(file) || file === join(folder, 'node_modules');

/**
 * The package manager links equal files to each other, and npm drops links, so a copy is packed. npm drops the first folder of a tarball, whatever its name is.
 * It also reads a tarball that is not compressed.
 */
function sendTarball(folder: string, response: ServerResponse): void {
  const copy = mkdtempSync(join(tmpdir(), 'vitrine-tarball-'));
  cpSync(folder, join(copy, 'package'), { recursive: true, filter: (file) => !isUnread(file, folder) });
  const tar = spawn('tar', ['-c', '-C', copy, '-f', '-', 'package'], { stdio: ['ignore', 'pipe', 'ignore'] });
  tar.stdout.pipe(response);
  tar.once('close', () => {
    rmSync(copy, { recursive: true });
  });
}
