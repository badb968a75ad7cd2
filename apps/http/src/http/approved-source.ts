import type { ApprovedRepositories } from '@vitrine/core';

/** Where requests take their permission from, once each. */
export interface ApprovedSource {
  /** Throws an `UnavailableError` when the allowlist could not be read for too long. */
  current(): ApprovedRepositories;
}
