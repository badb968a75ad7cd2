import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { until } from '@vitrine/test-support';
import { CommandLine } from '../test/support/command-line.js';

/** What GitHub lists, or the status with which it refuses. */
let answer: readonly object[] | number;
const server = createServer((_, response) => {
  if (typeof answer === 'number') response.writeHead(answer).end();
  else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
});
const repository = (name: string, id: number, over: object = {}) => {
  return { id, name, private: false, fork: false, archived: false, owner: { login: 'Acme', id: 42 }, ...over };
};

let line: CommandLine;
let origin: string;
beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  answer = [repository('Widget', 1), repository('secret', 2, { private: true })];
  const pattern = `{ github: "acme/*", except: [acme/gadget], api: "${origin}", allowPrivate: true }`;
  line = new CommandLine(`approved: [${pattern}]\nsources:\n  - { articles: docs, repository: acme/widget }\n`, {});
  mkdirSync(line.path('docs'));
  writeFileSync(join(line.path('docs'), 'a.md'), '# Start here\n');
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(line.folder, { recursive: true });
});

async function run(...args: readonly string[]) {
  line.out.length = line.err.length = 0;
  const code = await line.run(...args);
  return { code, out: line.out.filter((text) => !text.startsWith('services of the configuration')), err: [...line.err] };
}

describe('commands with a pattern in approved', () => {
  it('collect reads the list first, says what is approved, and runs the sources of its repositories in the same run', async () => {
    expect(await run('collect')).toEqual({
      code: 0,
      err: [],
      out: [
        'approved acme/*: Acme/Widget is approved by acme/* from now on',
        'approved acme/*: 1 stored, 0 unchanged, 0 removed',
        'article acme/widget: 1 stored, 0 unchanged, 0 removed',
      ],
    });
    const again = ['approved acme/*: 0 stored, 1 unchanged, 0 removed', 'article acme/widget: 0 stored, 0 unchanged, 0 removed'];
    expect((await run('collect')).out).toEqual(again);
  });

  it('the last list serves while the forge cannot be reached, and a repository that leaves it is said', async () => {
    await run('collect');
    answer = 503;
    const failed = await run('collect');
    expect(failed).toMatchObject({ code: 1, err: [expect.stringMatching(/^approved acme\/\*: http 503: /)] });
    expect(failed.out).toEqual(['article acme/widget: 0 stored, 0 unchanged, 0 removed']);
    const { out } = await run('sources');
    expect(out[0]).toMatch(/^approved acme\/\* \(configuration:approved:github:127\.0\.0\.1:\d+:acme\): \w+, last run .*, 1 stored, 0 unchanged/);
    expect(out[1]).toContain('last failure 2026-11-20T14:00:00.000Z: http 503: ');
    answer = [];
    const left = await run('collect');
    expect(left.out).toEqual(['approved acme/*: Acme/Widget is no longer approved by acme/*', 'approved acme/*: 0 stored, 0 unchanged, 1 removed']);
    expect(left).toMatchObject({ code: 1, err: [expect.stringContaining('acme/widget is not in the list of its owner, so its source is skipped')] });
  });

  it('keeps the records of a repository that left its list, and shows them at once when it is back', async () => {
    const kept = async () => {
      await run('export', line.path('all.ndjson'));
      return (await run('import', line.path('all.ndjson'))).out[0];
    };
    await run('collect');
    expect(await kept()).toMatch(/ 0 skipped, 0 problems$/);
    const before = await kept();
    answer = [];
    await run('collect');
    expect(await kept()).toMatch(/ 2 skipped, 0 problems$/);
    answer = [repository('Widget', 1)];
    await run('collect');
    expect(await kept()).toEqual(before);
  });

  it('collect --source reads only the chosen lists, and leaves the others and their sources', async () => {
    const first = await run('collect', '--source', 'article:acme/widget');
    expect(first).toMatchObject({ code: 1, out: [], err: [expect.stringContaining('acme/widget is not in the list of its owner')] });
    expect((await run('collect', '--source', 'approved acme/*')).out).toEqual([
      'approved acme/*: Acme/Widget is approved by acme/* from now on',
      'approved acme/*: 1 stored, 0 unchanged, 0 removed',
    ]);
    answer = [];
    const chosen = await run('collect', '--source', 'article acme/widget');
    expect(chosen).toEqual({ code: 0, err: [], out: ['article acme/widget: 1 stored, 0 unchanged, 0 removed'] });
    answer = [repository('Widget', 1)];
    expect((await run('collect', '--source', 'approved acme/*')).out).toEqual(['approved acme/*: 0 stored, 1 unchanged, 0 removed']);
    expect((await run('collect')).out).toContain('article acme/widget: 0 stored, 0 unchanged, 0 removed');
  });

  it('collect --watch follows the list, and runs its sources as soon as they are in it', async () => {
    const running = line.run('collect', '--watch');
    await until(() => line.out.includes('article acme/widget: 1 stored, 0 unchanged, 0 removed'));
    expect(line.out).toContain('approved acme/*: Acme/Widget is approved by acme/* from now on');
    expect(line.err).toEqual([expect.stringContaining('a source is skipped (acme/widget is not in the list of its owner')]);
    line.stopping.abort(new Error('stopped'));
    expect(await running).toBe(0);
  });

  it('check says what the pattern shows', async () => {
    expect((await run('check')).out).toContain(
      `Shows the public repositories of acme, except acme/gadget, which it lists every 900 s from ${origin}.`,
    );
    line.write('vitrine.yaml', 'approved: [{ github: "acme/*", token: NO_SUCH_TOKEN, forks: true, archived: true }]\n');
    const { code, out, err } = await run('check');
    expect(out).toContain(
      'Shows the public repositories of acme, also forks and archived ones, which it lists every 900 s from https://api.github.com.',
    );
    expect([code, err]).toEqual([
      1,
      ['acme/* needs the environment variable NO_SUCH_TOKEN, which is not set. Set it for the process that collects.'],
    ]);
  });
});
