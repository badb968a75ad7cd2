import { readAllowlist, readConfigFile } from '@vitrine/collector';
import type { AllowlistFile } from './watched-allowlist.js';

/** The key `approved` of the configuration file. */
export function allowlistFile(file: string): AllowlistFile {
  return {
    read: () => readConfigFile(file),
    entriesOf: (content) => readAllowlist({ text: content.toString(), file }),
  };
}
