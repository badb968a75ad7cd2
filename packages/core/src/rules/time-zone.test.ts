import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { timeZoneResults } from '../../test/time-zone-results.js';

const program = ['../../../../test/run-typescript.cjs', '../../test/time-zone-process.ts'].map((file) => join(__dirname, file));

/** What the rules say about some unusual days, in a process whose time zone is set before it starts. */
function inZone(zone: string): string {
  return execFileSync(process.execPath, program, { env: { ...process.env, TZ: zone }, encoding: 'utf8' });
}

const ZONES = ['Australia/Lord_Howe', 'America/New_York', 'Europe/Berlin', 'Pacific/Apia'];

describe('the time zone of the process', () => {
  // This process has the time zone of the machine.
  it('changes nothing', () => {
    expect(timeZoneResults()).toContain('"2026-03-08"');
    for (const zone of process.env['VITRINE_TORTURE'] === '1' ? ZONES : ZONES.slice(0, 1)) expect(inZone(zone)).toBe(`${timeZoneResults()}\n`);
  });
});
