const LINE_CHARACTERS_MAX = 1_048_576;

/** An export: its text, its bytes as they arrive (a `Response` body, a file stream), or its lines. */
export type AuditExport = string | AsyncIterable<Uint8Array | string>;

/** Splits an export into lines. Undefined stands for a line of more than 1 MiB, which no export has. */
export async function* linesOf(exported: AuditExport): AsyncGenerator<string | undefined, void, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of typeof exported === 'string' ? [exported] : exported) {
    const lines = (rest + (typeof part === 'string' ? part : decoder.decode(part, { stream: true }))).split(
      '\n',
    );
    rest = lines.pop() ?? '';
    if (rest.length > LINE_CHARACTERS_MAX) yield undefined;
    yield* lines;
  }
  if (rest !== '') yield rest;
}
