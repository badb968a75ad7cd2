import type { ComponentChildren } from 'preact';

interface ExternalLinkProps {
  readonly href: string;
  readonly children: ComponentChildren;
}

/** A link to another server. Any other kind of address is shown as text. */
export function ExternalLink({ href, children }: ExternalLinkProps) {
  return /^https?:\/\//i.test(href) ? (
    <a href={href} rel="nofollow noopener">
      {children}
    </a>
  ) : (
    <span>{children}</span>
  );
}
