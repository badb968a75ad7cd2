import type { BodyFormat } from '@vitrine/core';
import { withAddresses, withoutTags } from '../text/html.js';
import { useView } from '../view.js';

interface ProseProps {
  readonly text: string;
  readonly format: BodyFormat;
  /** The language of the text, if it is known. */
  readonly language?: string;
}

/** A text of a record. */
export function Prose({ text, format, language }: ProseProps) {
  const { t, links, site, textOf } = useView();
  if (text.trim() === '') return <p class="soft">{t.record.noText}</p>;
  const attributes = {
    class: 'prose',
    dir: 'auto',
    ...(language !== undefined && /^[A-Za-z0-9-]{2,35}$/.test(language) && { lang: language }),
  } as const;
  const html = format === 'text' ? null : textOf({ text, form: format, images: site.images });
  if (html === null)
    return (
      <div {...attributes}>
        <p class="plain">{format === 'html' ? withoutTags(text) : text}</p>
      </div>
    );
  return <div {...attributes} dangerouslySetInnerHTML={{ __html: withAddresses(html, (address) => links.absolute(address)) }} />;
}
