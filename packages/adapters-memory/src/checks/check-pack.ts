import type { UnpublishableReason } from '@vitrine/core';
import { publishableProfile, type CheckProfile, type CheckProfiles } from './check-profile.js';
import { DayChecks } from './day-checks.js';

/** Bytes of one check: time in the day, profile number, response time, time of observation. */
const CHECK_BYTES = 4 + 4 + 4 + 8;
const NO_RESPONSE_TIME = -1;

interface PackHeader {
  readonly profiles: readonly CheckProfile[];
}

/** A day's checks as bytes, little endian: length of the header, the header (the profiles of this pack as JSON), then the checks in order. */
export function encodePack(checks: DayChecks): Uint8Array {
  const numbers = new Map<CheckProfile, number>();
  for (let i = 0; i < checks.length; i++) numberIn(numbers, checks.profileAt(i));
  const header = Buffer.from(JSON.stringify({ profiles: [...numbers.keys()] } satisfies PackHeader));
  const bytes = Buffer.alloc(4 + header.length + checks.length * CHECK_BYTES);
  let at = bytes.writeUInt32LE(header.length, 0);
  at += header.copy(bytes, at);
  for (let i = 0; i < checks.length; i++) {
    at = bytes.writeUInt32LE(checks.timeAt(i) - checks.day, at);
    at = bytes.writeUInt32LE(numberIn(numbers, checks.profileAt(i)), at);
    at = bytes.writeInt32LE(checks.responseTimeAt(i) ?? NO_RESPONSE_TIME, at);
    at = bytes.writeDoubleLE(checks.observedAt(i), at);
  }
  return bytes;
}

/** @param onRefused called for each check that must not be published; it is left out */
export function decodePack(
  value: Uint8Array,
  serviceKey: string,
  day: number,
  profiles: CheckProfiles,
  onRefused: (reason: UnpublishableReason) => void = () => undefined,
): DayChecks {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const start = 4 + bytes.readUInt32LE(0);
  const header = JSON.parse(bytes.toString('utf8', 4, start)) as PackHeader;
  const numbers = header.profiles.map((stored) => {
    const profile = publishableProfile(stored);
    return typeof profile === 'string' ? profile : profiles.numberOf(profile);
  });
  const checks = new DayChecks(serviceKey, day, profiles, (bytes.length - start) / CHECK_BYTES);
  for (let at = start; at < bytes.length; at += CHECK_BYTES) {
    const responseTime = bytes.readInt32LE(at + 8);
    const number = numbers[bytes.readUInt32LE(at + 4)] ?? -1;
    if (typeof number === 'string') {
      onRefused(number);
      continue;
    }
    checks.append(bytes.readUInt32LE(at), number, responseTime === NO_RESPONSE_TIME ? null : responseTime, bytes.readDoubleLE(at + 12));
  }
  return checks;
}

function numberIn(numbers: Map<CheckProfile, number>, profile: CheckProfile): number {
  const known = numbers.get(profile);
  if (known !== undefined) return known;
  numbers.set(profile, numbers.size);
  return numbers.size - 1;
}
