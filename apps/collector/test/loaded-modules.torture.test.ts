import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COUNTING } from './support/counted-modules.js';

const main = join(__dirname, '..', 'dist', 'main.js');
describe('a command that needs no database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-loaded-'));
  beforeAll(() => {
    mkdirSync(join(folder, '.vitrine'));
    writeFileSync(join(folder, 'vitrine.yaml'), 'approved: [acme/widget]\n');
    writeFileSync(join(folder, 'database.yaml'), 'approved: [acme/widget]\nstore: mongodb\n');
    writeFileSync(join(folder, 'empty.ndjson'), '');
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function driverModulesOf(args: readonly string[], config: string): number {
    const env = { PATH: process.env['PATH'], VITRINE_CONFIG: join(folder, config), MONGODB_URI: '' };
    const { stderr } = spawnSync(process.execPath, ['--import', COUNTING, main, ...args], { env, encoding: 'utf8' });
    return Number(stderr.trim().split('\n').at(-1));
  }

  it.each([[['check']], [['import', join(folder, 'empty.ndjson')]], [['sources']], [['--help']]])(
    'does not load the driver of MongoDB: %j',
    (args) => {
      expect(driverModulesOf(args, 'vitrine.yaml')).toBe(0);
    },
  );

  it('is told apart from one that does', () => {
    expect(driverModulesOf(['store', 'init'], 'database.yaml')).toBeGreaterThan(0);
  });
});
