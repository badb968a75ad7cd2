import {
  CHANGE_TYPES,
  FINDING_STATUSES,
  RELEASE_TYPES,
  ARTICLE_KINDS,
  type ArticleKind,
  type Incident,
  INCIDENT_STATES,
  MISSION_STATUSES,
} from '@vitrine/core';
import { Icon } from './icon.js';
import type { Messages } from '../messages/messages.js';
import type { Href, ListName } from '../page-links.js';
import { useView } from '../view.js';

/** The values of the filters that are set, by their names. */
export type FilterValues = Readonly<Record<string, string>>;

/** A value of a filter, and its name for people. */
export interface FilterOption {
  readonly value: string;
  readonly label: string;
}

/** One filter of a list, with the name of its parameter. */
export interface FilterField {
  readonly name: string;
  readonly label: (messages: Messages) => string;
  readonly type: 'text' | 'date';
  /** All values that there are; `null`: any text. */
  readonly options: readonly FilterOption[] | null;
  /** Values to choose from where any text is allowed. */
  readonly suggested: readonly string[];
}

interface FilterFormProps {
  /** The path of the list, with the base path. */
  readonly action: Href;
  readonly fields: readonly FilterField[];
  readonly values: FilterValues;
}

/** The filters of a list as a form that needs no script. A copy of the site has none, because nothing would answer it. */
export function FilterForm({ action, fields, values }: FilterFormProps) {
  const { t, copy } = useView();
  if (copy !== null || fields.length === 0) return null;
  const set = fields.filter(({ name }) => values[name] !== undefined);
  return (
    <>
      <form class="filters" action={action}>
        {fields.map((field) => (
          <label key={field.name}>
            {field.label(t)}
            <FilterInput field={field} value={values[field.name] ?? ''} />
          </label>
        ))}
        <button class="button" type="submit">
          {t.filters.apply}
        </button>
      </form>
      {set.length === 0 ? null : (
        <div class="chips">
          {set.map((field) => (
            <Chip key={field.name} field={field} values={values} action={action} />
          ))}
          <a href={action}>{t.filters.clear}</a>
        </div>
      )}
    </>
  );
}

/** A filter that is set, as a link without it. */
function Chip({ field: { name, label, options }, values, action }: Pick<FilterFormProps, 'values' | 'action'> & { readonly field: FilterField }) {
  const { t } = useView();
  const value = values[name] ?? '';
  const shown = options?.find((option) => option.value === value)?.label ?? value;
  const others = new URLSearchParams(Object.entries(values).filter(([each]) => each !== name)).toString();
  return (
    <a class="chip" href={`${action ?? ''}${others === '' ? '' : `?${others}`}`} aria-label={t.filters.remove(label(t), shown)}>
      <span class="soft">{label(t)}</span>
      <span dir="auto">{shown}</span>
      <Icon name="close" />
    </a>
  );
}

function FilterInput({ field, value }: { readonly field: FilterField; readonly value: string }) {
  const { t } = useView();
  const { name, options, suggested, type } = field;
  if (options !== null) {
    // An open set may have unknown values.
    const known = value === '' || options.some((option) => option.value === value) ? options : [...options, { value, label: value }];
    return (
      <select name={name}>
        <option value="">{t.filters.any}</option>
        {known.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    );
  }
  if (type === 'date') return <input name={name} type="date" value={value.slice(0, 10)} />;
  if (suggested.length === 0) return <input name={name} type="text" value={value} maxLength={255} />;
  return (
    <>
      <input name={name} type="text" value={value} maxLength={255} list={`known-${name}`} />
      <datalist id={`known-${name}`}>
        {suggested.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  );
}

type Label = Exclude<keyof Messages['filters'], 'apply' | 'clear' | 'any' | 'remove'>;

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
