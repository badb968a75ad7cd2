import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const BUILT = pathToFileURL(join(__dirname, '../dist/composition/collecting/fork-collector.js')).href;

describe('forkCollector', () => {
  it('keeps what a process has written that ended before it was connected', () => {
    const program = `import(${JSON.stringify(BUILT)}).then(async ({ forkCollector }) => {
      process.execArgv.push('--no-such-option');
      const connect = forkCollector();
      while (process.getActiveResourcesInfo().includes('ProcessWrap')) await new Promise(setImmediate);
      connect(() => undefined, process.stdout);
    })`;
    expect(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' })).toContain('bad option: --no-such-option');
  });
});
