import type { ComponentChildren } from 'preact';
import { useView } from '../view.js';

interface ExternalLinkProps {
  readonly href: string;
  readonly children: ComponentChildren;
}

/** A link to another server. Any other kind of address is shown as text, and so is one for which a copy of the site has no file. */
export function ExternalLink({ href, children }: ExternalLinkProps) {
  const address = useView().links.absolute(href);
  return address !== undefined && /^https?:\/\//i.test(href) ? (
    <a href={address} rel="nofollow noopener">
      {children}
    </a>
  ) : (
    <span>{children}</span>
  );
}
