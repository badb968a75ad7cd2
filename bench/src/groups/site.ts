import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { loadDemo } from '@vitrine/collector';
import { siteLinks, siteTexts } from '@vitrine/test-support';
import { atMost, mustBe, percentile, withFolder, type Figure } from '../measure.js';
import { root, runVitrine } from '../processes.js';

const URL_OF_SITE = 'https://acme.example/team/status';
const ROUNDS = 5;
/** More than every page, feed and badge without a record. */
const LEAST_FILES = 200;

/** Runs the command `vitrine site` on the records of the demonstration, in its own process each time. */
export function figures(): Promise<readonly Figure[]> {
  return withFolder(async (folder) => {
    const now = Date.now();
    await fill(folder, now);
    const [whole, again]: [number[], number[]] = [[], []];
    let rewritten = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const out = join(folder, `out-${String(round)}`);
      const first = await written(folder, out, now);
      const second = await written(folder, out, now);
      check(out, first);
      mustBe('files of the second run', second.files, first.files);
      whole.push(first.seconds);
      again.push(second.seconds);
      rewritten = Math.max(rewritten, second.written);
    }
    return [
      atMost('static site of the demo', percentile(whole, 0.5), 's', 5),
      atMost('again with nothing changed and the same --now', percentile(again, 0.5), 's', 2),
      atMost('the same: files written', rewritten, 'files', 0),
    ];
  });
}

async function fill(folder: string, now: number): Promise<void> {
  const { approved, records } = await loadDemo(join(root, 'examples', 'demo.ndjson'), now);
  const names = approved.map(({ fullName }) => fullName).join(', ');
  await writeFile(join(folder, 'vitrine.yaml'), `approved: [${names}]\nstore: { path: data }\nsite: { title: Acme }\n`);
  const store = await openSqliteStore({ clock: { now: () => now }, path: join(folder, 'data') });
  await store.writer.put(records, { signal: new AbortController().signal });
  await store.close();
}

interface Run {
  readonly seconds: number;
  readonly files: number;
  readonly written: number;
}

async function written(folder: string, out: string, now: number): Promise<Run> {
  const args = ['site', out, '--url', URL_OF_SITE, '--now', new Date(now).toISOString()];
  const { stdout, seconds } = await runVitrine(join(folder, 'vitrine.yaml'), args);
  const [, files, count] = /: (\d+) files, (\d+) written/.exec(stdout) ?? [];
  return { seconds, files: Number(files), written: Number(count) };
}

function check(out: string, { files, written: count }: Run): void {
  const texts = siteTexts(out);
  mustBe('files written by the first run', count, files);
  mustBe('files in the folder', texts.size, files);
  mustBe('whether there are enough files', files >= LEAST_FILES, true);
  mustBe('dead links', siteLinks(texts, URL_OF_SITE).dead, []);
}
