/** Whether the process accepts work: `starting` until it is ready for traffic, `stopping` after the signal to stop. */
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
