import { INCIDENT_STATES } from '@vitrine/core';
import { ClosedSet, OpenSet, TextFilter } from './parameters.js';
import { PageQuery, timeRange } from './query.js';
import { From, To } from './time-range.js';

const GRANULARITIES = ['check', 'day', 'hour'] as const;

export class ServiceHistoryQuery extends PageQuery {
  @From('checkedAt') readonly from?: string;
  @To('checkedAt') readonly to?: string;
  @ClosedSet(
    'What a record stands for: one stored check, one UTC day, or one hour. Days and hours are the whole ones that the range touches, at most 400 days, or 92 for hours.',
    GRANULARITIES,
    'check',
  )
  readonly granularity?: string;

  unit(): (typeof GRANULARITIES)[number] {
    return GRANULARITIES.find((known) => known === this.granularity) ?? 'check';
  }

  override filters() {
    return { granularity: this.unit(), ...timeRange(this) };
  }
}

export class ListIncidentsQuery extends PageQuery {
  @ClosedSet('Only incidents in this state.', INCIDENT_STATES) readonly state?: string;
  @OpenSet('Only incidents that concern this service, by its key.', 'acme:widget-api') readonly service?: string;
  @TextFilter('Only incidents that cover this detected incident, by its id.', 'detected:acme:widget-api:20261120T135500Z') readonly covers?: string;
  @From('startedAt') readonly from?: string;
  @To('startedAt') readonly to?: string;

  override filters() {
    const state = INCIDENT_STATES.find((known) => known === this.state) ?? null;
    return { state, service: this.service ?? null, covers: this.covers ?? null, ...timeRange(this) };
  }
}
