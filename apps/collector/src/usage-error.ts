import type { Config } from '@vitrine/config';

/** A command that cannot be done as it was given. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Throws a {@link UsageError} where no data folder is configured: nothing would be kept, and nothing is there. */
export function requireFolder({ file, store }: Config): void {
  if (store.kind === 'embedded' && store.path === null)
    throw new UsageError(`${file}: store.path: is null, so no store is kept; write the path of a folder, or store: mongodb`);
}
