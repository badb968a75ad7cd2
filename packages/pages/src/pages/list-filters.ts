import { ARTICLE_KINDS, INCIDENT_STATES, MISSION_STATUSES, type ArticleKind, type Incident } from '@vitrine/core';
import type { FilterField, FilterOption } from '../components/filter-form.js';
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

type Named = (value: string, messages: Messages) => string;

/** A filter before it is known which values there are. */
interface ListFilter extends Pick<FilterField, 'name' | 'label' | 'type'> {
  /** All values that there are; `null`: any text. */
  readonly values: readonly string[] | null;
  /** The name of a value for people. */
  readonly named: Named;
}

const asItIs: Named = (value) => value;
const filter = (name: Label, more: Partial<ListFilter> = {}): ListFilter => ({
  name,
  label: ({ filters }) => filters[name],
  type: 'text',
  values: null,
  named: asItIs,
  ...more,
});
const choice = (name: Label, values: readonly string[], named: Named = asItIs): ListFilter => filter(name, { values, named });

const RANGE = [filter('from', { type: 'date' }), filter('to', { type: 'date' })];
const repository = filter('repository');
const changeType = choice('changeType', CHANGE_TYPES);
const releaseType = choice('releaseType', RELEASE_TYPES, (value, { channels }) => channels[value] ?? value);
const findingStatus = choice('status', FINDING_STATUSES, (value, { findingStatuses }) => findingStatuses[value] ?? value);
const articleKind = choice('kind', ARTICLE_KINDS, (value, { articleKinds }) => articleKinds[value as ArticleKind]);
const incidentState = choice('state', INCIDENT_STATES, (value, { incident }) => incident.states[value as Incident['state']]);

/** Every filter of the API for each list. */
const LIST_FILTERS: Readonly<Record<ListName | 'incidents', readonly ListFilter[]>> = {
  commits: [repository, filter('branch'), filter('author'), changeType, ...RANGE],
  releases: [repository, filter('platform'), releaseType, ...RANGE],
  findings: [repository, findingStatus, changeType, ...RANGE],
  missions: [repository, choice('status', MISSION_STATUSES)],
  news: [filter('source'), ...RANGE],
  articles: [articleKind, filter('tag'), filter('language'), repository, ...RANGE],
  videos: [filter('source'), repository, ...RANGE],
  repositories: [],
  incidents: [incidentState, filter('service'), ...RANGE],
};

/** The field of a record with the value of a filter, where it has another name. */
const FIELDS: Readonly<Record<string, string>> = { author: 'authorName', tag: 'tags' };
/** With more, a list to choose from is no help. */
const MOST_OPTIONS = 200;

/**
 * The filters of a list.
 *
 * @param known all values of some filters, by the name of the filter
 * @param items the records on the page, whose values are suggested
 */
export function filtersOf(
  name: ListName | 'incidents',
  known: Readonly<Record<string, readonly FilterOption[]>>,
  items: readonly unknown[],
  messages: Messages,
): readonly FilterField[] {
  return LIST_FILTERS[name].map(({ values, named, ...field }) => ({
    ...field,
    options: fewOf(known[field.name]) ?? values?.map((value) => ({ value, label: named(value, messages) })) ?? null,
    suggested: values === null ? suggestionsOf(field.name, items) : [],
  }));
}

/** Nothing to choose from, or too much, is no list. */
function fewOf(options: readonly FilterOption[] = []): readonly FilterOption[] | null {
  return options.length > 0 && options.length <= MOST_OPTIONS ? options : null;
}

function suggestionsOf(filterName: string, items: readonly unknown[]): readonly string[] {
  const values = items.flatMap((item) => {
    const record: unknown = typeof item === 'object' && item !== null && 'record' in item ? item.record : item;
    return typeof record === 'object' && record !== null ? (Reflect.get(record, FIELDS[filterName] ?? filterName) as unknown) : null;
  });
  const texts = values.flat().filter((value): value is string => typeof value === 'string' && value !== '');
  return [...new Set(texts)].sort();
}
