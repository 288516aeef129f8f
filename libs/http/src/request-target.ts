export interface Target {
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

/** Path and query as they were sent, not normalised; of an absolute target (RFC 9112, 3.2.2) what follows the host. */
export function targetOf(url: string): Target {
  const text = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = text.indexOf('?');
  return mark < 0 ? { path: text, query: '' } : { path: text.slice(0, mark), query: text.slice(mark + 1) };
}
