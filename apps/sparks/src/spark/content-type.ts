const LINK = 'text/uri-list';
const TEXT = /^(?:text\/.+|application\/(?:json|xml|javascript)|.+\+(?:json|xml))$/;

export type ContentKind = 'text' | 'binary' | 'link';

/** How a payload of this media type is written (SPK-05, SPK-06). Case and parameters do not matter (RFC 9110 8.3.1). */
export function kindOf(contentType: string): ContentKind {
  const essence = (contentType.split(';', 1)[0] as string).trim().toLowerCase();
  if (essence === LINK) return 'link';
  return TEXT.test(essence) ? 'text' : 'binary';
}
