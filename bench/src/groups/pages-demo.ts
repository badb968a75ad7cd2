import { gunzipSync } from 'node:zlib';
import { atMost, mustBe, type Figure } from '../measure.js';
import { commitsOn, servicesOn } from '../pages.js';
import { serveVitrine } from '../processes.js';
import { COMMITS_PATH, jsonOf, wireAnswer, type ApiList } from '../wire.js';

const SHOWN_COMMITS = 8;

interface StatusBody {
  readonly data: { readonly services: readonly { readonly displayName: string }[] };
}

export async function figures(): Promise<readonly Figure[]> {
  const { url } = await serveVitrine({ config: null });
  const page = await compressed(`${url}/`);
  await checkPage(url, page.text);
  const style = await compressed(url + fileOf(page.text, /href="(\/assets\/[^"]+\.css)"/u));
  const script = await compressed(url + fileOf(page.text, /src="(\/assets\/[^"]+\.js)"/u));
  mustBe('the style sheet and the script', [style.text.startsWith(':root'), script.text.includes('addEventListener')], [true, true]);
  return [
    atMost('overview page of the demo: HTML, gzipped', page.kilobytes, 'kB', 25),
    atMost('the same: CSS, gzipped', style.kilobytes, 'kB', 8),
    atMost('the same: JavaScript, gzipped', script.kilobytes, 'kB', 5),
  ];
}

async function compressed(url: string): Promise<{ readonly text: string; readonly kilobytes: number }> {
  const { status, header, body } = await wireAnswer(url, { 'Accept-Encoding': 'gzip' });
  mustBe(`answer of ${url}`, [status, header('content-encoding')], [200, 'gzip']);
  return { text: gunzipSync(body).toString(), kilobytes: body.length / 1_000 };
}

async function checkPage(url: string, html: string): Promise<void> {
  const status = await jsonOf<StatusBody>(`${url}/api/v1/status`);
  const commits = await jsonOf<ApiList<{ readonly href: string }>>(`${url}${COMMITS_PATH}?limit=${String(SHOWN_COMMITS)}`);
  mustBe('services on the overview', servicesOn(html).toSorted(), status.data.services.map(({ displayName }) => displayName).toSorted());
  const shown = commits.data.map(({ href }) => decodeURIComponent(href.replace(/^.*\/commits\//u, '')));
  // The commits of a day and repository are one line, so the order depends on the hour.
  mustBe('commits on the overview', commitsOn(html).toSorted(), shown.toSorted());
}

function fileOf(html: string, pattern: RegExp): string {
  const [, path] = pattern.exec(html) ?? [];
  if (path === undefined) throw new Error(`The page names no file like ${pattern.source}.`);
  return path;
}
