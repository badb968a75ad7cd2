import type { Sync } from '../domain/shared/sync.js';
import type { ReadContext } from './read-context.js';

/** What the ids of these records begin with. */
export const CONFIGURATION_PREFIX = 'configuration:';

/** Reads the memory of collectors about their configurations. For the processes that use a store; no answer shows it. */
export interface ConfigurationReader {
  /** The sync records whose ids begin with {@link CONFIGURATION_PREFIX}, with their states, by id. */
  list(context: ReadContext): Promise<readonly Sync[]>;
}
