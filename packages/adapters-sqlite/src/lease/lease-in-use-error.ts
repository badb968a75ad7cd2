/** Another process held the lease for the whole time that this one was ready to wait. */
export class LeaseInUseError extends Error {
  override readonly name = 'LeaseInUseError';

  constructor(readonly holder: string) {
    super(`${holder} collects into this store now.`);
  }
}
