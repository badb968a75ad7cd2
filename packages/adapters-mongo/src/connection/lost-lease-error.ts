/** This process no longer holds the lease: another process may write now. */
export class LostLeaseError extends Error {
  override readonly name = 'LostLeaseError';

  constructor(options?: ErrorOptions) {
    super('The right to write to this database was lost: another process may write now. Nothing more is stored.', options);
  }
}
