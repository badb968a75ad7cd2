import { readFile, stat } from 'node:fs/promises';
import { readAllowlist } from '@vitrine/collector';
import type { AllowlistFile } from './watched-allowlist.js';

/** The key `approved` of the configuration file. */
export function allowlistFile(file: string): AllowlistFile {
  return {
    stamp: async () => {
      const { mtimeMs, size, ino } = await stat(file);
      return `${String(mtimeMs)} ${String(size)} ${String(ino)}`;
    },
    read: async () => readAllowlist({ text: await readFile(file, 'utf8'), file }),
  };
}
