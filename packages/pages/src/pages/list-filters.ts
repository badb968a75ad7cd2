import { ARTICLE_KINDS, INCIDENT_STATES, MISSION_STATUSES } from '@vitrine/core';
import type { FilterField } from '../components/filter-form.js';
import type { Messages } from '../messages/messages.js';
import type { ListName } from '../page-links.js';

type Label = Exclude<keyof Messages['filters'], 'apply' | 'clear' | 'any' | 'remove'>;

const CHANGE_TYPES = [
  'feature',
  'fix',
  'docs',
  'tests',
  'refactor',
  'performance',
  'build',
  'ci',
  'dependencies',
  'security',
  'revert',
  'chore',
  'other',
];
const RELEASE_TYPES = ['stable', 'prerelease', 'rc', 'beta', 'alpha', 'nightly'];
const FINDING_STATUSES = ['EXPERIMENTAL', 'CONFIRMED', 'RELEASED', 'RETRACTED'];

const text = (name: Label): FilterField => ({ name, label: (filters) => filters[name], options: null, type: 'text' });
const choice = (name: Label, options: readonly string[]): FilterField => ({ name, label: (filters) => filters[name], options, type: 'text' });
const day = (name: 'from' | 'to'): FilterField => ({ name, label: (filters) => filters[name], options: null, type: 'date' });

const RANGE = [day('from'), day('to')];
const changeType = choice('changeType', CHANGE_TYPES);

/** Every filter of the API for each list. */
export const LIST_FILTERS: Readonly<Record<ListName | 'incidents', readonly FilterField[]>> = {
  commits: [text('repository'), text('branch'), text('author'), changeType, ...RANGE],
  releases: [text('repository'), text('platform'), choice('releaseType', RELEASE_TYPES), ...RANGE],
  findings: [text('repository'), choice('status', FINDING_STATUSES), changeType, ...RANGE],
  missions: [text('repository'), choice('status', MISSION_STATUSES)],
  news: [text('source'), ...RANGE],
  articles: [choice('kind', ARTICLE_KINDS), text('tag'), text('language'), text('repository'), ...RANGE],
  videos: [text('source'), text('repository'), ...RANGE],
  repositories: [],
  incidents: [choice('state', INCIDENT_STATES), text('service'), ...RANGE],
};
