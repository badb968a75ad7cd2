import type { MongoStoreError } from '@vitrine/adapters-mongo';

/** The database cannot be used. It stands for the adapter's own error, so that commands without a database need not load the driver to know it. */
export class DatabaseError extends Error {
  readonly problem: MongoStoreError['problem'];

  constructor(cause: MongoStoreError) {
    super(cause.message, { cause });
    this.name = 'DatabaseError';
    this.problem = cause.problem;
  }
}
