import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/**
 * The path of the browser that VITRINE_CHROMIUM names, or of the first one on the PATH.
 * @returns `null` if there is none
 */
export function findChromium(env: Environment): string | null {
  const named = env['VITRINE_CHROMIUM'] ?? '';
  // If the user names a browser, no other one is used.
  if (named !== '') return existsSync(named) ? named : null;
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file)) ?? null;
}
