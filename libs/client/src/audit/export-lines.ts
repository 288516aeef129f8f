const LINE_CHARACTERS_MAX = 1_048_576;

/** An export: its text, the response of the API, or the parts of a file as they are read. */
export type AuditExport = string | Response | AsyncIterable<Uint8Array | string>;

/** Splits an export into lines. Undefined stands for a line of more than 1 MiB, which no export has. */
export async function* linesOf(exported: AuditExport): AsyncGenerator<string | undefined, void, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of partsOf(exported)) {
    const text = typeof part === 'string' ? part : decoder.decode(part, { stream: true });
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LINE_CHARACTERS_MAX) yield undefined;
    yield* lines;
  }
  if (rest !== '') yield rest;
}

function partsOf(exported: AuditExport): Iterable<string> | AsyncIterable<Uint8Array | string> {
  if (typeof exported === 'string') return [exported];
  if (!('body' in exported)) return exported;
  return (exported.body ?? []) as Iterable<string> | AsyncIterable<Uint8Array>;
}
