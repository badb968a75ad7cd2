import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@vitrine/test-support';

const MAIN = join(__dirname, '..', 'dist', 'main.js');
const folder = mkdtempSync(join(tmpdir(), 'vitrine-terminal-'));
const config = join(folder, 'vitrine.yaml');
/** Of util-linux: runs a command in a pseudo terminal. That of other systems has other options. */
const hasTerminals = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Everything that a server writes until its first log line, which is about a source of a repository that is not approved. */
async function written(
  command: (server: string) => readonly [string, readonly string[]],
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  writeFileSync(
    config,
    'server: { port: 0 }\nstore: { path: null }\napproved: []\nsources: [{ git: ".", repository: acme/widget, url: "https://acme.example/w" }]\n',
  );
  const numberFile = join(folder, 'number');
  const [program, args] = command(`echo $$ > '${numberFile}'; exec '${process.execPath}' '${MAIN}'`);
  const child = spawn(program, args, { env: { PATH: process.env['PATH'], TERM: 'xterm', VITRINE_CONFIG: config, ...more } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (text += data.toString()));
  const exit = once(child, 'exit');
  await until(
    () => text.includes('a source is skipped') && text.includes('listens'),
    () => text,
  );
  process.kill(Number(readFileSync(numberFile, 'utf8')));
  await exit;
  return text;
}

const inTerminal = (server: string) => ['script', ['-qec', server, '/dev/null']] as const;
const inPipe = (server: string) => ['sh', ['-c', server]] as const;
const lineOf = (text: string): string | undefined => text.split(/\r?\n/).find((line) => line.includes('a source is skipped'));

describe('the log', () => {
  // What needs no terminal is checked by the test of the formatter.
  if (hasTerminals)
    it('is a readable line for each event on a terminal, with colours unless NO_COLOR is set', async () => {
      expect(lineOf(await written(inTerminal, { NO_COLOR: '1' }))).toMatch(
        /^\[\d\d:\d\d:\d\d\] WARN: a source is skipped \{"warning":".*acme\/widget.*"\}$/,
      );
      expect(lineOf(await written(inTerminal))).toContain('\u001b[33mWARN\u001b[39m');
    });

  it('is JSON in a pipe', async () => {
    const line = lineOf(await written(inPipe));
    expect(JSON.parse(line ?? '')).toMatchObject({ level: 40, msg: 'a source is skipped' });
  });
});
