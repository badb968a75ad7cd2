import { compareText, pageOf, startOfDay, type Check, type TimeListQuery, type TimePage, type TimePosition } from '@vitrine/core';
import type { DayChecks } from './day-checks.js';
import type { ServiceChecks } from './service-checks.js';

/** A page of raw checks, newest first, then by source. */
export function newestChecks(service: ServiceChecks, query: TimeListQuery): TimePage<Check> {
  const found: Check[] = [];
  const latest = Math.min(query.to, query.after?.time ?? query.to);
  const { days } = service;
  for (let i = days.countBefore(latest + 1) - 1; i >= 0 && found.length <= query.limit; i--) {
    const day = days.at(i);
    if (query.from !== null && day < startOfDay(query.from)) break;
    const checks = service.openDay(day);
    // Frozen days have no raw checks, and all days before them are frozen too.
    if (checks === null) break;
    addNewest(found, checks, query, latest);
  }
  return pageOf(found, query.limit, positionOfCheck);
}

function addNewest(found: Check[], checks: DayChecks, { from, after, limit }: TimeListQuery, latest: number): void {
  for (let index = checks.countBefore(latest + 1) - 1; index >= 0 && found.length <= limit; index--) {
    const time = checks.timeAt(index);
    if (from !== null && time < from) return;
    if (after !== null && time === after.time && compareText(checks.profileAt(index).source, after.id) <= 0) continue;
    found.push(checks.checkAt(index));
  }
}

function positionOfCheck(check: Check): TimePosition {
  return { time: check.checkedAt, id: check.provenance.source };
}
