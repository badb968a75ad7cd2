/** This process no longer holds the lease, so another process may write now. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';

  constructor(store: 'database' | 'data folder', options?: ErrorOptions) {
    super(
      `The right to write to this ${store} was lost: it could not be renewed in time, or another process has it. Run the command again.`,
      options,
    );
  }
}
