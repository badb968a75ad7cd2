/** Another process had the lease for as long as this one was willing to wait. */
export class LeaseInUseError extends Error {
  override readonly name = 'LeaseInUseError';

  /** @param holder who has it; `null` when a write of a turn that is over is still open, and nobody has it */
  constructor(readonly holder: string | null) {
    super(`${holder ?? 'Another process'} writes to this database now.`);
  }
}
