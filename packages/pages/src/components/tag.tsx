import type { ComponentChildren } from 'preact';

export function Tag({ children }: { readonly children: ComponentChildren }) {
  return <span class="tag">{children}</span>;
}
