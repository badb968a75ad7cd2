import type { Instant } from '@vitrine/core';
import { useView } from '../view.js';

/** A moment. The script of the pages shows how long ago it was. */
export function Time({ at }: { readonly at: Instant }) {
  const { format } = useView();
  return (
    <time dateTime={format.iso(at)} data-relative="">
      {format.time(at)}
    </time>
  );
}

/** A moment that is always shown in full, such as the beginning of planned maintenance. */
export function FullTime({ at }: { readonly at: Instant }) {
  const { format } = useView();
  return <time dateTime={format.iso(at)}>{format.time(at)}</time>;
}

/** The time of day, below a heading that names the day. The full time is its title. */
export function Clock({ at }: { readonly at: Instant }) {
  const { format } = useView();
  return (
    <time dateTime={format.iso(at)} title={format.time(at)}>
      {format.clock(at)}
    </time>
  );
}

/** A day. */
export function Day({ at }: { readonly at: Instant }) {
  const { format } = useView();
  return (
    <time dateTime={format.iso(at)} title={format.time(at)}>
      {format.shortDay(at)}
    </time>
  );
}
