/** Another process held the lease for the whole time that this one was ready to wait. */
export class LeaseInUseError extends Error {
  override readonly name = 'LeaseInUseError';

  /** @param holder the process that has the lease; `null` if it is free, but a transaction of an expired turn is still open */
  constructor(readonly holder: string | null) {
    super(`${holder ?? 'Another process'} writes to this database now.`);
  }
}
