import { loadSource } from '../build/load-source.ts';

const HEADER = '// Written by `npm run docs` from the contracts.\n';

interface Parameter {
  name?: string;
  $ref?: string;
}

/** The part of the document that is read. */
interface Paths {
  paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
}

/** @returns libs/client/src/generated/call-rules.ts: which calls may be repeated */
export async function clientCallRules(): Promise<string> {
  const { clientDocument, repeatableCalls } = await source();
  return [
    HEADER,
    '/** The calls that only read; a repetition has no effect. */',
    list('repeatableCalls', repeatableCalls()),
    '',
    '/** The calls that accept an `Idempotency-Key`. */',
    list('keyedCalls', keyedCalls(clientDocument())),
    '',
  ].join('\n');
}

const source = () => loadSource(new URL('../build/client-document.ts', import.meta.url), 'docs');

function keyedCalls({ paths }: Paths) {
  const calls = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation.parameters?.some(isIdempotencyKey))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  return calls.sort();
}

/** @param parameter a reference ends in its name */
function isIdempotencyKey({ name, $ref }: Parameter) {
  return /(^|\/)idempotency-?key$/i.test(name ?? $ref ?? '');
}

function list(name: string, calls: readonly string[]) {
  const lines = calls.map((call) => `  '${call}',`);
  return [`export const ${name}: ReadonlySet<string> = new Set([`, ...lines, ']);'].join('\n');
}
