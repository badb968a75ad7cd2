import type { Config } from '@vitrine/config';

/** The arguments or the configuration do not allow this command. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Throws a {@link UsageError} if no data folder is configured, because such a store is empty and is removed at the end of the command. */
export function requireFolder({ file, store }: Config): void {
  if (store.kind === 'embedded' && store.path === null)
    throw new UsageError(`${file}: store.path: is null, so no store is kept; write the path of a folder, or store: mongodb`);
}
