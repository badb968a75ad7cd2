import { useView } from '../view.js';
import type { Messages } from '../messages/messages.js';
import type { Href } from '../page-links.js';
import { Icon } from './icon.js';

/** The values of the filters that are set, by their names. */
export type FilterValues = Readonly<Record<string, string>>;

/** One filter of a list, with the name of its parameter. */
export interface FilterField {
  readonly name: string;
  readonly label: (filters: Messages['filters']) => string;
  /** The known values; `null`: any text. */
  readonly options: readonly string[] | null;
  readonly type: 'text' | 'date';
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
            {field.label(t.filters)}
            <FilterInput field={field} value={values[field.name] ?? ''} />
          </label>
        ))}
        <button class="button" type="submit">
          {t.filters.apply}
        </button>
      </form>
      {set.length === 0 ? null : (
        <div class="chips">
          {set.map(({ name, label }) => (
            <a
              key={name}
              class="chip"
              href={`${action ?? ''}${without(values, name)}`}
              aria-label={t.filters.remove(label(t.filters), values[name] ?? '')}
            >
              <span dir="auto">{values[name]}</span>
              <Icon name="close" />
            </a>
          ))}
          <a href={action}>{t.filters.clear}</a>
        </div>
      )}
    </>
  );
}

/** The query of the other filters. */
function without(values: FilterValues, name: string): string {
  const query = new URLSearchParams(Object.entries(values).filter(([each]) => each !== name)).toString();
  return query === '' ? '' : `?${query}`;
}

function FilterInput({ field, value }: { readonly field: FilterField; readonly value: string }) {
  const { t } = useView();
  const { name, options, type } = field;
  if (options === null)
    return <input name={name} type={type} value={type === 'date' ? value.slice(0, 10) : value} {...(type === 'text' && { maxLength: 255 })} />;
  // An open set may have unknown values.
  const known = value === '' || options.includes(value) ? options : [...options, value];
  return (
    <select name={name}>
      <option value="">{t.filters.any}</option>
      {known.map((option) => (
        <option key={option} value={option} selected={option === value}>
          {option}
        </option>
      ))}
    </select>
  );
}
