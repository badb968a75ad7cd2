import { UnavailableError, type ApprovedRepositories } from '@vitrine/core';

/** The permission of a request, or why there is none. */
export type Permission = ApprovedRepositories | UnavailableError;

export function permissionOf(approved: ApprovedSource): Permission {
  try {
    return approved.current();
  } catch (error) {
    if (error instanceof UnavailableError) return error;
    throw error;
  }
}

export function revisionOf(permission: Permission): string | null {
  return permission instanceof UnavailableError ? null : permission.revision;
}

/** Gives each request its permission. A request calls it once. */
export interface ApprovedSource {
  /** Throws an `UnavailableError` if the allowlist could not be read for too long. */
  current(): ApprovedRepositories;
}

/** Remembers the last permission that could be read. */
export class RememberedApproval implements ApprovedSource {
  #last: ApprovedRepositories | null = null;

  constructor(private readonly source: ApprovedSource) {}

  current(): ApprovedRepositories {
    this.#last = this.source.current();
    return this.#last;
  }

  /** The permission of this moment, or the last one while it cannot be read. `null` if it could never be read. */
  currentOrLast(): ApprovedRepositories | null {
    try {
      return this.current();
    } catch {
      // Requests report the error.
      return this.#last;
    }
  }
}
