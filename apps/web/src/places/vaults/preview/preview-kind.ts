import type { PreviewKind } from '../../../preview-frame/preview-message.js';

export interface Previewable {
  readonly kind: PreviewKind;
  /** The media type of an image. */
  readonly type: string;
}

const images: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
};

/** Pages and pictures with scripts are shown as their text. */
const texts = new Set(
  'txt text md csv tsv log json jsonl xml yaml yml toml ini conf cfg env properties html htm xhtml svg css js mjs ts tsx jsx py rb go rs java kt c h cpp cs php sh bash ps1 bat sql pem crt key pub asc diff patch tex srt vcf ics eml'.split(
    ' ',
  ),
);

/** How a file is shown, by the ending of its name; undefined: not at all. The content is checked by what shows it. */
export function previewOf(name: string): Previewable | undefined {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  if (ending === 'pdf') return { kind: 'pdf', type: 'application/pdf' };
  const image = Object.hasOwn(images, ending) ? images[ending] : undefined;
  if (image !== undefined) return { kind: 'image', type: image };
  return texts.has(ending) ? { kind: 'text', type: 'text/plain' } : undefined;
}

/** Bytes: browsers lay out longer texts for seconds, and hold pictures and documents in memory several times. */
export const previewMax: Readonly<Record<PreviewKind, number>> = {
  text: 2_000_000,
  image: 20_000_000,
  pdf: 20_000_000,
};
