/** A part of a guide under a heading of its own, for the search. */
export interface GuideSection {
  /** The id of the heading; empty for the beginning of the guide. */
  readonly anchor: string;
  readonly title: string;
  /** Without markup. */
  readonly text: string;
}

const HEADING = /<h([1-3]) id="([^"]*)">([^]*?)<\/h\1>/g;

/** Cuts a rendered guide at its headings. */
export function guideSectionsOf(html: string): GuideSection[] {
  const headings = [...html.matchAll(HEADING)];
  return headings.map((found, index) => {
    const [whole = '', level, id = '', title = ''] = found;
    const text = html.slice(found.index + whole.length, headings[index + 1]?.index);
    return { anchor: level === '1' ? '' : id, title: plainText(title), text: plainText(text) };
  });
}

/** The first sentence of the first paragraph. */
export function guideSummaryOf(html: string): string {
  const [, paragraph = ''] = /<p>([^]*?)<\/p>/.exec(html) ?? [];
  const [sentence] = plainText(paragraph).match(/^.*?[.:](?=\s|$)/) ?? [''];
  return sentence.replace(/:$/, '.');
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The text of HTML that marked has made. */
function plainText(html: string): string {
  return html
    .replace(/<\/(?:p|li|t[dhr]|pre|h\d)>|<br>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] as string)
    .replace(/\s+/g, ' ')
    .trim();
}
