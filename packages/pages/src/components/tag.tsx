import type { ServiceState } from '@vitrine/core';
import type { ComponentChildren } from 'preact';

/** A colour that stands for something good, pending, bad, planned or neutral. */
export type Tone = ServiceState;

/** A short word about a record. @param props.tone default: neutral */
export function Tag({ tone, children }: { readonly tone?: Tone; readonly children: ComponentChildren }) {
  return <span class={tone === undefined ? 'tag' : `tag ${tone}`}>{children}</span>;
}

const CHANNELS: Readonly<Record<string, Tone>> = {
  stable: 'operational',
  rc: 'degraded',
  prerelease: 'degraded',
  beta: 'maintenance',
  alpha: 'maintenance',
};

const FINDINGS: Readonly<Record<string, Tone>> = { CONFIRMED: 'maintenance', RELEASED: 'operational' };

const BUILDS: Readonly<Record<string, Tone>> = { succeeded: 'operational', failed: 'outage', running: 'maintenance', queued: 'maintenance' };

/** The colour of a type of release, a status of a finding or a state of a build. Unknown ones are neutral. */
export const toneOf = {
  channel: (releaseType: string): Tone => CHANNELS[releaseType] ?? 'unknown',
  finding: (status: string): Tone => FINDINGS[status] ?? 'unknown',
  build: (state: string): Tone => BUILDS[state] ?? 'unknown',
};
