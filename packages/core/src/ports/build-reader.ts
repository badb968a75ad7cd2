import type { Build } from '../domain/work/build.js';
import type { ApprovedRepositories } from '../policies/allowlist.js';
import type { ReadContext } from './read-context.js';
import type { TimeListQuery, TimePage } from './time-list.js';

export interface BuildReader {
  list(approved: ApprovedRepositories, query: TimeListQuery, context: ReadContext): Promise<TimePage<Build>>;
}
