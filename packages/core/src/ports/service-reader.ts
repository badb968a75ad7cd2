import type { Service } from '../domain/status/service.js';
import type { ReadContext } from './read-context.js';

export interface ServiceReader {
  /** All services, sorted by key. */
  list(context: ReadContext): Promise<readonly Service[]>;
  byKey(key: string, context: ReadContext): Promise<Service | null>;
}
