import { useView } from '../view.js';
import type { Messages } from '../messages/messages.js';
import type { Href } from '../page-links.js';
import { Icon } from './icon.js';

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
