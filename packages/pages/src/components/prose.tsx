import { withAddresses } from '../text/html.js';
import { useView } from '../view.js';

interface ProseProps {
  readonly text: string;
  /** What a renderer has made of the text; `null` or absent: it is shown as it is. */
  readonly html?: string | null;
  /** The language of the text, if it is known. */
  readonly language?: string;
}

/** A text of a record. */
export function Prose({ text, html = null, language }: ProseProps) {
  const { t, links } = useView();
  if (text.trim() === '') return <p class="soft">{t.record.noText}</p>;
  const attributes = {
    class: 'prose',
    dir: 'auto',
    ...(language !== undefined && /^[A-Za-z0-9-]{2,35}$/.test(language) && { lang: language }),
  } as const;
  if (html === null)
    return (
      <div {...attributes}>
        <p class="plain">{text}</p>
      </div>
    );
  return <div {...attributes} dangerouslySetInnerHTML={{ __html: withAddresses(html, (address) => links.absolute(address)) }} />;
}
