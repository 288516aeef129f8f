/** A call with names that its operation does not know and has ignored, such as those of a newer release. */
export interface IgnoredNames {
  /** `POST /v1/sparks`. */
  readonly call: string;
  /** Paths of fields, such as `recipients.0.team`, and query parameters. */
  readonly names: readonly string[];
}

/** The names in `X-Ignored` of a response; none without the header. */
export function ignoredNamesOf({ headers }: Response): readonly string[] {
  const text = headers.get('X-Ignored') ?? '';
  return text === '' ? [] : text.split(',').map((name) => nameOf(name.trim()));
}

/** Characters that a header cannot hold are percent-encoded; the empty name is quoted. */
function nameOf(text: string): string {
  if (text === '""') return '';
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
