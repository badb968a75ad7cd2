import type { ComponentChildren } from 'preact';

interface ScrollingTableProps {
  /** What the table shows, for those who do not see it. */
  readonly label: string;
  readonly headings: readonly string[];
  /** Whether the columns need more room than a phone has. */
  readonly isWide?: boolean;
  /** The rows. */
  readonly children: ComponentChildren;
}

/** A table that scrolls sideways where it does not fit, also by keyboard. */
export function ScrollingTable({ label, headings, isWide = false, children }: ScrollingTableProps) {
  return (
    <section class="scroll" tabIndex={0} aria-label={label}>
      <table {...(isWide && { class: 'numbers' })}>
        <thead>
          <tr>
            {headings.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
