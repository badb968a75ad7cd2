import type { BodyFormat } from '@vitrine/core';
import { proseOfHtml, proseOfMarkdown } from '../text/markdown.js';
import { useView } from '../view.js';

interface ProseProps {
  readonly text: string;
  readonly format: BodyFormat;
  /** The language of the text, if it is known. */
  readonly language?: string;
}

/** A text of a record. */
export function Prose({ text, format, language }: ProseProps) {
  const { t, site, links } = useView();
  if (text.trim() === '') return <p class="soft">{t.record.noText}</p>;
  const attributes = {
    class: 'prose',
    dir: 'auto',
    ...(language !== undefined && /^[A-Za-z0-9-]{2,35}$/.test(language) && { lang: language }),
  } as const;
  if (format === 'text')
    return (
      <div {...attributes}>
        <p class="plain">{text}</p>
      </div>
    );
  const options = { images: site.images, addressOf: (address: string) => links.absolute(address) };
  const html = format === 'html' ? proseOfHtml(text, options) : proseOfMarkdown(text, options);
  return <div {...attributes} dangerouslySetInnerHTML={{ __html: html }} />;
}
