import { gunzipSync } from 'node:zlib';
import { atMost, type Figure } from './measure.js';
import { commitsOn, servicesOn } from './page-answer.js';
import { spawnVitrine } from './vitrine-process.js';
import { wireAnswer } from './wire-answer.js';
import { mustBe } from './wrong-answer.js';

const SHOWN_COMMITS = 8;

interface StatusBody {
  readonly data: { readonly services: readonly { readonly displayName: string }[] };
}

interface CommitsBody {
  readonly data: readonly { readonly href: string }[];
}

/** The size of the overview of the demo, and of the files that it loads, as they are sent. */
export async function demoPageFigures(): Promise<readonly Figure[]> {
  const { url, ready, stop } = await spawnVitrine({ config: null });
  try {
    await ready();
    const page = await compressed(`${url}/`);
    await checkPage(url, page.text);
    const [style, script] = [
      await compressed(url + fileOf(page.text, /href="(\/assets\/[^"]+\.css)"/u)),
      await compressed(url + fileOf(page.text, /src="(\/assets\/[^"]+\.js)"/u)),
    ];
    mustBe('the style sheet and the script', [style.text.startsWith(':root'), script.text.includes('addEventListener')], [true, true]);
    return [
      atMost('overview page of the demo: HTML, gzipped', page.kilobytes, 'kB', 25),
      atMost('the same: CSS, gzipped', style.kilobytes, 'kB', 8),
      atMost('the same: JavaScript, gzipped', script.kilobytes, 'kB', 5),
    ];
  } finally {
    stop();
  }
}

async function compressed(url: string): Promise<{ readonly text: string; readonly kilobytes: number }> {
  const answer = await wireAnswer(url, { 'Accept-Encoding': 'gzip' });
  mustBe(`answer of ${url}`, [answer.status, answer.header('content-encoding')], [200, 'gzip']);
  return { text: gunzipSync(answer.body).toString(), kilobytes: answer.body.length / 1_000 };
}

/** The page shows the services and the newest commits that the API has. */
async function checkPage(url: string, html: string): Promise<void> {
  const status = (await json(`${url}/api/v1/status`)) as StatusBody;
  const commits = (await json(`${url}/api/v1/development/commits?limit=${String(SHOWN_COMMITS)}`)) as CommitsBody;
  mustBe('services on the overview', servicesOn(html).toSorted(), status.data.services.map(({ displayName }) => displayName).toSorted());
  mustBe(
    'commits on the overview',
    commitsOn(html),
    commits.data.map(({ href }) => decodeURIComponent(href.replace(/^.*\/commits\//u, ''))),
  );
}

async function json(url: string): Promise<unknown> {
  const response = await fetch(url);
  mustBe(`status of ${url}`, response.status, 200);
  return response.json();
}

function fileOf(html: string, pattern: RegExp): string {
  const [, path] = pattern.exec(html) ?? [];
  if (path === undefined) throw new Error(`The page names no file like ${pattern.source}.`);
  return path;
}
