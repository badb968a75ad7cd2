import type { ComponentChildren } from 'preact';
import { useView } from '../view.js';
import { Icon } from './icon.js';

/** A name and its value; `null` leaves it out. */
export type Fact = readonly [name: string, value: ComponentChildren];

/** Names with their values. Values that are `null` or empty are left out. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== null && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** A button that copies a text. The script of the pages shows it. */
export function Copy({ text }: { readonly text: string }) {
  const { t } = useView();
  return (
    <button class="copy" type="button" data-copy={text} data-done={t.copied}>
      <Icon name="copy" />
      <span>{t.copyText}</span>
    </button>
  );
}
