/** Whether the process takes work: `starting` until it may be sent traffic, `stopping` once it was told to end. */
export class Lifecycle {
  #phase: 'starting' | 'ready' | 'stopping' = 'starting';

  get phase(): 'starting' | 'ready' | 'stopping' {
    return this.#phase;
  }

  get isStopping(): boolean {
    return this.#phase === 'stopping';
  }

  ready(): void {
    if (this.#phase === 'starting') this.#phase = 'ready';
  }

  stop(): void {
    this.#phase = 'stopping';
  }
}
