import type { ComponentChildren } from 'preact';
import type { Href } from '../page-links.js';
import { useView } from '../view.js';
import { Icon } from './icon.js';

interface ExternalLinkProps {
  readonly href: string;
  readonly children: ComponentChildren;
}

/** A link to another server. Any other kind of address is shown as text, and so is one for which a copy of the site has no file. */
export function ExternalLink({ href, children }: ExternalLinkProps) {
  const address = useExternal(href);
  return address === undefined ? (
    <span>{children}</span>
  ) : (
    <a href={address} rel="nofollow noopener">
      {children}
    </a>
  );
}

/** The same as a button that names the other server; nothing if the address leads nowhere. */
export function ViewOn({ href }: { readonly href: string }) {
  const { t } = useView();
  const address = useExternal(href);
  if (address === undefined) return null;
  return (
    <a class="button" href={address} rel="nofollow noopener">
      <Icon name="external" />
      {t.viewOn(hostName(href))}
    </a>
  );
}

function useExternal(href: string): Href {
  const address = useView().links.absolute(href);
  return /^https?:\/\//i.test(href) ? address : undefined;
}

const HOSTS: Readonly<Record<string, string>> = {
  'github.com': 'GitHub',
  'gitlab.com': 'GitLab',
  'codeberg.org': 'Codeberg',
  'bitbucket.org': 'Bitbucket',
  'www.youtube.com': 'YouTube',
};

function hostName(address: string): string {
  const host = URL.canParse(address) ? new URL(address).hostname : '';
  return HOSTS[host] ?? host.replace(/^www\./, '');
}
