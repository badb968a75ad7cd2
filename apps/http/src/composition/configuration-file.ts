import { loadConfig, readAllowlist, readConfigFile, type Config, type Environment } from '@vitrine/config';
import type { AllowlistFile } from './watched-allowlist.js';

/** The key `approved` of the configuration file. @param onContent hears each new content whose list can be used */
export function allowlistFile(file: string, onContent: (content: Buffer) => void): AllowlistFile {
  return {
    read: () => readConfigFile(file),
    approvalsOf: (content) => readAllowlist({ text: content.toString(), file }),
    onContent,
  };
}

/** The whole configuration of a content of the file. Throws a `ConfigError` when it has problems. */
export function configReader(file: string, env: Environment): (content: Buffer) => Config {
  return (content) => loadConfig({ text: content.toString(), file, env });
}
