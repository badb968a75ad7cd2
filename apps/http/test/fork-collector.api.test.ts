import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const built = (name: string): string => pathToFileURL(join(__dirname, `../dist/composition/${name}.js`)).href;

describe('forkCollector', () => {
  it('keeps what a process has written that ended before it was connected', () => {
    const program = `import(${JSON.stringify(built('collecting/fork-collector'))}).then(async ({ forkCollector }) => {
      process.execArgv.push('--no-such-option');
      const connect = forkCollector();
      while (process.getActiveResourcesInfo().includes('ProcessWrap')) await new Promise(setImmediate);
      connect(() => undefined, process.stdout);
    })`;
    expect(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' })).toContain('bad option: --no-such-option');
  });
});

describe('Express, which takes long to load and holds 15 MB', () => {
  function modulesOf(name: string): number {
    const counted = `Object.keys(require.cache).filter((file) => /[\\\\/]express[\\\\/]/.test(file)).length`;
    const program = `import(${JSON.stringify(built(name))}).then(() => console.log(${counted}))`;
    return Number(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' }));
  }

  it.each([
    ['collects beside a server', 'collecting/collect'],
    ['begins to open its store', 'start'],
  ])('is not loaded by a process that %s', (_, name) => {
    expect(modulesOf(name)).toBe(0);
  });

  it('is loaded by a process that serves', () => {
    expect(modulesOf('serve')).toBeGreaterThan(0);
  });
});
