import type { ApprovedRepositories } from '../../policies/allowlist.js';
import type { ReadContext } from '../../ports/read-context.js';

/** One request's permission and cancellation. A request takes one set of approved repositories at its start. */
export interface UseCaseContext extends ReadContext {
  readonly approved: ApprovedRepositories;
}

/** For answers that can do without repositories: `null` when the allowlist cannot be read. */
export interface PartialContext extends ReadContext {
  readonly approved: ApprovedRepositories | null;
}
