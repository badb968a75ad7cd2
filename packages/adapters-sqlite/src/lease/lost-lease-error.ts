/** This process no longer holds the lease: another process may write now. */
export class LostLeaseError extends Error {
  override readonly name = 'LostLeaseError';

  constructor(options?: ErrorOptions) {
    super('The right to collect into this store was lost: another process may collect now. Nothing more is stored.', options);
  }
}
