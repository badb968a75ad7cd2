import { percentile } from './measure.js';

/** Measures a contestant once, such as its requests per second during a few seconds. */
export type Sampler = () => Promise<number>;

/** Contestants that are measured in turn, so that a slow moment of the machine affects all of them. */
export class Contest<Name extends string> {
  readonly #samples = new Map<Name, number[]>();

  /** Measures each contestant once per round. More rounds can follow, for example with new processes. */
  async run(samplers: ReadonlyMap<Name, Sampler>, rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++)
      for (const [name, sample] of samplers) this.#samples.set(name, [...(this.#samples.get(name) ?? []), await sample()]);
  }

  /** The median of one contestant's samples against that of another; `null` if one of them has no samples. */
  ratio(name: Name, against: Name): number | null {
    const [own, other] = [this.median(name), this.median(against)];
    return own === null || other === null ? null : own / other;
  }

  /** The median of all samples of a contestant; `null` if it has none. */
  median(name: Name): number | null {
    const samples = this.#samples.get(name);
    return samples === undefined ? null : percentile(samples, 0.5);
  }
}
