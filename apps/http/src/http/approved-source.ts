import type { ApprovedRepositories } from '@vitrine/core';

/** Gives each request its permission. A request calls it once. */
export interface ApprovedSource {
  /** Throws an `UnavailableError` if the allowlist could not be read for too long. */
  current(): ApprovedRepositories;
}
