import { readFileSync, writeFileSync } from 'node:fs';
import type { Figure } from './measure.js';

/** The latest figures of a group. */
export interface MeasuredGroup {
  /** The full sha of the commit that was measured. */
  readonly commit: string;
  /** Cores, memory and versions, as text. */
  readonly machine: string;
  /** The command that measures and prints the figures. */
  readonly command: string;
  /** A note for figures that an earlier version of the benchmark has measured. */
  readonly note?: string;
  readonly figures: readonly Figure[];
}

/** The measured groups by name. */
export type MeasuredGroups = Readonly<Record<string, MeasuredGroup>>;

const file = new URL('../figures.json', import.meta.url);

/** Reads the figures that `--write` has stored. */
export function readFigures(): MeasuredGroups {
  return JSON.parse(readFileSync(file, 'utf8')) as MeasuredGroups;
}

export function writeFigures(measured: MeasuredGroups): void {
  writeFileSync(file, `${JSON.stringify(measured, null, 2)}\n`);
}
