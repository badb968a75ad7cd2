import { CHANGE_TYPES, FINDING_STATUSES, RELEASE_TYPES, ARTICLE_KINDS, INCIDENT_STATES, MISSION_STATUSES } from '@vitrine/core';
import type { ArticleKind, Incident, Mission } from '@vitrine/core';
import { Icon } from './icon.js';
import { stateWordsOf } from './incidents.js';
import { said } from './state.js';
import type { Messages } from '../messages/messages.js';
import type { Href, ListName } from '../page-links.js';
import { useView, type View } from '../view.js';

/** The values of the filters that are set, by their names. */
export type FilterValues = Readonly<Record<string, string>>;

/** A value of a filter, and its name for people. */
export interface FilterOption {
  readonly value: string;
  readonly label: string;
}

/** One filter of a list, with the name of its parameter. */
interface FilterField extends Pick<ListFilter, 'name' | 'type'> {
  readonly label: string;
  readonly options: readonly FilterOption[];
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
            {field.label}
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

function Chip({ field: { name, label, options }, values, action }: Pick<FilterFormProps, 'values' | 'action'> & { readonly field: FilterField }) {
  const { t } = useView();
  const value = values[name] ?? '';
  const shown = options.find((option) => option.value === value)?.label ?? value;
  const others = new URLSearchParams(Object.entries(values).filter(([each]) => each !== name)).toString();
  return (
    <a class="chip" href={`${action ?? ''}${others === '' ? '' : `?${others}`}`} aria-label={t.filters.remove(label, shown)}>
      <span class="soft">{label}</span>
      <span dir="auto">{shown}</span>
      <Icon name="close" />
    </a>
  );
}

function FilterInput({ field: { name, type, options }, value }: { readonly field: FilterField; readonly value: string }) {
  const { t } = useView();
  if (type === 'date') return <input name={name} type="date" value={value.slice(0, 10)} />;
  if (type === 'choice') {
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
  return (
    <>
      <input name={name} type="text" value={value} maxLength={255} list={`known-${name}`} />
      <datalist id={`known-${name}`}>
        {options.map((option) => (
          <option key={option.value} value={option.value} />
        ))}
      </datalist>
    </>
  );
}

/** A filter before it is known which values there are. */
interface ListFilter {
  readonly name: Exclude<keyof Messages['filters'], 'apply' | 'clear' | 'any' | 'remove'>;
  /** `text`: the options are suggestions, and any text is allowed. */
  readonly type: 'choice' | 'text' | 'date';
  /** Where its values come from: what the page knows beside its records, or the records of the list. Of the latter, documented ones stand in their order. */
  readonly values: 'known' | readonly string[];
  readonly named: (value: string, messages: Messages, format: View['format']) => string;
}

function choice(name: ListFilter['name'], values: ListFilter['values'] = [], named: ListFilter['named'] = (value) => value): ListFilter {
  return { name, type: 'choice', values, named };
}

const RANGE: readonly ListFilter[] = [
  { ...choice('from', 'known'), type: 'date' },
  { ...choice('to', 'known'), type: 'date' },
];
const repository = choice('repository', 'known');
const source = choice('source');
const author: ListFilter = { ...choice('author'), type: 'text' };
const changeType = choice('changeType', CHANGE_TYPES, (value, { changeTypes }) => said(changeTypes, value) ?? value);
const releaseType = choice('releaseType', RELEASE_TYPES, (value, { channels }) => said(channels, value) ?? value);
const findingStatus = choice('status', FINDING_STATUSES, (value, { findingStatuses }) => said(findingStatuses, value) ?? value);
const missionStatus = choice('status', MISSION_STATUSES, (value, { missionStatuses }) => missionStatuses[value as Mission['status']]);
const articleKind = choice('kind', ARTICLE_KINDS, (value, { articleKinds }) => articleKinds[value as ArticleKind]);
const language = choice('language', [], (value, _messages, format) => format.languageName(value));
const incidentState = choice('state', INCIDENT_STATES, (value, messages) => stateWordsOf(value as Incident['state'], messages));

const LIST_FILTERS: Readonly<Record<ListName | 'incidents', readonly ListFilter[]>> = {
  commits: [repository, choice('branch'), author, changeType, ...RANGE],
  releases: [repository, choice('platform'), releaseType, ...RANGE],
  findings: [repository, findingStatus, changeType, ...RANGE],
  missions: [repository, missionStatus],
  news: [source, ...RANGE],
  articles: [articleKind, choice('tag'), language, repository, ...RANGE],
  videos: [source, repository, ...RANGE],
  repositories: [],
  incidents: [incidentState, choice('service', 'known'), ...RANGE],
};

/** The filters that offer the values of records. A page that has one of them needs a sample of the records of its list. */
export const SAMPLED_FILTERS: ReadonlySet<string> = new Set(
  Object.values(LIST_FILTERS).flatMap((filters) => filters.filter(({ values }) => values !== 'known').map(({ name }) => name)),
);

/** The field of a record with the value of a filter, where it has another name. */
const FIELDS: Readonly<Record<string, string>> = { author: 'authorName', tag: 'tags', kind: 'articleKind' };
/** With more, a list to choose from is no help. */
const MOST_OPTIONS = 200;

/** What is known about the values of the filters of a list. */
export interface FilterData {
  /** The filters that are set. */
  readonly filters: FilterValues;
  /** All values of some filters, by the name of the filter. */
  readonly known: Readonly<Record<string, readonly FilterOption[]>>;
  /** Records of the list, whose values are offered. */
  readonly sample: readonly unknown[];
}

/** The filters of a list with what there is to choose from. A filter without a choice is left out. */
export function filtersOf(
  name: ListName | 'incidents',
  { filters, known, sample }: FilterData,
  { t, format }: Pick<View, 't' | 'format'>,
): readonly FilterField[] {
  return LIST_FILTERS[name]
    .map(({ name, type, values, named }): FilterField => {
      const field = { name, type, label: t.filters[name] };
      const found = values === 'known' ? [] : valuesIn(sample, name, values);
      const options = values === 'known' ? (known[name] ?? []) : found.map((value) => ({ value, label: named(value, t, format) }));
      return options.length > MOST_OPTIONS ? { ...field, type: 'text', options: [] } : { ...field, options };
    })
    .filter((field) => field.type !== 'choice' || field.options.length > 0 || filters[field.name] !== undefined);
}

/** The values of a field in some records, documented ones first. */
function valuesIn(items: readonly unknown[], name: string, documented: readonly string[]): readonly string[] {
  const values = items.flatMap((item) => {
    const record: unknown = typeof item === 'object' && item !== null && 'record' in item ? item.record : item;
    return typeof record === 'object' && record !== null ? fieldOf(record, name) : null;
  });
  const texts = values.flat().filter((value): value is string => typeof value === 'string' && value !== '');
  const found = [...new Set(texts)].sort();
  return [...documented.filter((value) => found.includes(value)), ...found.filter((value) => !documented.includes(value))];
}

function fieldOf(record: object, name: string): unknown {
  const own: unknown = Reflect.get(record, FIELDS[name] ?? name);
  if (own !== undefined || !('provenance' in record)) return own;
  // The source of a video is that of its provenance.
  return Reflect.get(Object(record.provenance) as object, name);
}
