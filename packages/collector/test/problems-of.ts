import { ConfigError } from '@vitrine/config';

/** What is wrong with a configuration. Throws if nothing is. */
export function problemsOf(load: () => unknown): readonly string[] {
  try {
    load();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  throw new Error('the configuration was accepted');
}
