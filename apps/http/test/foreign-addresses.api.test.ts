import type { StoredRecord } from '@vitrine/core';
import { anIncident, oneOfEach } from '@vitrine/core/testing';
import { DEFAULT_SITE } from '@vitrine/pages';
import { Api } from './support/api.js';

const SCRIPT = 'javascript:alert(1)';
const LISTS = ['commits', 'releases', 'findings', 'missions', 'news', 'articles', 'videos'];

/** The same with a script in place of each address. */
function withScripts(value: unknown, name = ''): unknown {
  if (typeof value === 'string' && /url$/i.test(name)) return SCRIPT;
  if (Array.isArray(value)) return value.map((item) => withScripts(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([own, inner]) => [own, withScripts(inner, own)]));
}

afterEach(() => Api.closeAll());

it('leads to nothing but web pages, whatever addresses records have', async () => {
  const planned = anIncident({ id: 'planned', incidentKind: 'maintenance', state: 'scheduled' });
  const records = [...oneOfEach(), planned].map((given): StoredRecord => {
    const record = withScripts(given) as StoredRecord;
    if (record.kind === 'video') return { ...record, thumbnailUrl: 'https://acme.example/a.png' };
    return record.kind === 'release' ? { ...record, assets: [{ name: 'a.zip', platform: null, size: 1, url: SCRIPT }] } : record;
  });
  for (const site of [{ ...DEFAULT_SITE, images: true }, null]) {
    const api = await Api.open({ records, site });
    const get = async (path: string) => (await fetch(`http://127.0.0.1:${String(api.port)}${path}`, { headers: { Accept: 'text/html' } })).text();
    const next = [
      '/',
      '/status',
      '/status/history',
      '/feeds/maintenance.ics',
      ...LISTS.flatMap((name) => [`/${name}`, `/feeds/${name}.atom`, `/feeds/${name}.json`]),
    ];
    const seen = new Set<string>();
    for (let path = next.pop(); path !== undefined; path = next.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      // Data for search engines are no links.
      const body = (await get(path)).replaceAll(/<script type="application\/ld\+json">.*?<\/script>/gs, '');
      expect([path, body.match(/(?:href|src|url)"?[=:]\s?"?javascript:/gi)]).toEqual([path, null]);
      next.push(...[...body.matchAll(/ href="(\/(?!api\/)[^"#?]*)"/g)].map(([, found = '']) => found));
    }
    if (site !== null) expect(seen.size).toBeGreaterThan(40);
  }
});
