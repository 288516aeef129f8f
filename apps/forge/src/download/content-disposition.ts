const UNSAFE_IN_FALLBACK = /[^\x20-\x7e]|["\\%/]/gu;
// encodeURIComponent leaves these as they are, and RFC 8187 does not.
const NOT_IN_ATTRIBUTES = /['()*]/g;

/**
 * Save it, under this name (RFC 6266). Old clients read `filename`, in ASCII and without anything that one of them takes
 * for an escape, the others `filename*` (RFC 8187). No name can end the header: what is not plain is encoded.
 */
export function attachmentNamed(filename: string): string {
  const name = filename.replace(/[/\\]/g, '_');
  const fallback = name.replace(UNSAFE_IN_FALLBACK, '_');
  return `attachment; filename="${fallback}"; filename*=UTF-8''${percentEncoded(name)}`;
}

function percentEncoded(name: string): string {
  return encodeURIComponent(name).replace(
    NOT_IN_ATTRIBUTES,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
