import type { ComponentChildren } from 'preact';

interface TableProps {
  /** What the table shows, for those who do not see it. */
  readonly label: string;
  readonly headings: readonly string[];
  /** The rows. */
  readonly children: ComponentChildren;
}

/** A table that scrolls sideways where it does not fit, also by keyboard. */
export function Table({ label, headings, children }: TableProps) {
  return (
    <div class="scroll" role="group" tabIndex={0} aria-label={label}>
      <table class="data">
        <thead>
          <tr>
            {headings.map((heading, index) => (
              <th key={heading} scope="col" class={index === headings.length - 1 ? 'end' : undefined}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
