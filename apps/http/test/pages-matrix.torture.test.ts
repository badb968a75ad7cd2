import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describeBrowser } from '@vitrine/test-support';

const SCRIPT = join(__dirname, '../../../scripts/pages-matrix.mjs');
const LONGEST_MS = 4 * 3_600_000;

describeBrowser('every page in every state, language, theme and size, with JavaScript and without', (executablePath) => {
  it(
    'is valid, accessible, within the screen and reached by keyboard, and its links answer',
    async () => {
      const env = { ...process.env, VITRINE_CHROMIUM: executablePath };
      const run = promisify(execFile)(process.execPath, [SCRIPT], { env, timeout: LONGEST_MS, maxBuffer: 2 ** 26 });
      // The script prints each fault.
      const { stdout } = await run.catch((error: { readonly stdout: string }) => error);
      expect(stdout.trim()).toMatch(/^0 faults on \d+ pages in \d+ states$/);
    },
    LONGEST_MS,
  );
});
