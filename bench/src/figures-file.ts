import { readFileSync, writeFileSync } from 'node:fs';
import type { Figure } from './measure.js';

/** The figures of a group as they were measured last. */
export interface MeasuredGroup {
  /** The commit whose code was measured, all 40 digits. */
  readonly commit: string;
  /** Cores, memory and versions, in words. */
  readonly machine: string;
  /** What prints the figures again. */
  readonly command: string;
  /** What a reader has to know of figures that an earlier benchmark measured. */
  readonly note?: string;
  readonly figures: readonly Figure[];
}

/** The measured groups by name. */
export type MeasuredGroups = Readonly<Record<string, MeasuredGroup>>;

const file = new URL('../figures.json', import.meta.url);

/** What `--write` has stored. */
export function readFigures(): MeasuredGroups {
  return JSON.parse(readFileSync(file, 'utf8')) as MeasuredGroups;
}

export function writeFigures(measured: MeasuredGroups): void {
  writeFileSync(file, `${JSON.stringify(measured, null, 2)}\n`);
}
