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
