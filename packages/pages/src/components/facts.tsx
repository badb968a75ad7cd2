import type { ComponentChildren } from 'preact';

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
