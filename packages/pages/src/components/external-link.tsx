import type { ComponentChildren } from 'preact';
import { useView } from '../view.js';

interface ExternalLinkProps {
  readonly href: string;
  readonly children: ComponentChildren;
}

/** A link to another server. Any other kind of address is shown as text. */
export function ExternalLink({ href, children }: ExternalLinkProps) {
  const { links } = useView();
  return /^https?:\/\//i.test(href) ? (
    <a href={links.absolute(href)} rel="nofollow noopener">
      {children}
    </a>
  ) : (
    <span>{children}</span>
  );
}
