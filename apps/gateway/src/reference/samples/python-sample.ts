import { Expression, literal, python } from './literals.js';
import type { ProviderSignature } from './provider-signatures.js';
import type { SampleRequest } from './sample-request.js';

/** The call as a program of Python, with its standard library alone. */
export function pythonSample(request: SampleRequest, signature: ProviderSignature | undefined): string {
  const { origin, target, secrets, body } = request;
  const secret = secrets.map(({ name, prefix, variable }): [string, string] => [
    name,
    `${prefix ? `"${prefix}" + ` : ''}os.environ["${variable}"]`,
  ]);
  const { imports = [], statements = [], headers = {} } = signature?.python ?? {};
  const all = { ...Object.fromEntries(secret), ...headers, ...contentTypeOf(body) };
  return [
    `import ${importsOf(request, imports).join(', ')}`,
    '',
    `url = os.environ["${origin}"] + "${target}${signature?.query ?? ''}"`,
    ...(body === undefined ? [] : [`body = ${bodyOf(body)}`]),
    ...statements,
    ...(Object.keys(all).length === 0 ? [] : [`headers = ${headersOf(all)}`]),
    `request = urllib.request.Request(${argumentsOf(request, all).join(', ')})`,
    'with urllib.request.urlopen(request) as response:',
    `    ${outputOf(request)}`,
  ].join('\n');
}

function importsOf({ body, output }: SampleRequest, ofSignature: readonly string[]): string[] {
  const isJson = output === 'json' || (body !== undefined && typeof body !== 'string');
  return [...new Set([...ofSignature, ...(isJson ? ['json'] : []), 'os', 'urllib.request'])].sort();
}

const bodyOf = (body: unknown) =>
  typeof body === 'string' ? `b${JSON.stringify(body)}` : `json.dumps(${literal(body, python, 26)}).encode()`;

const contentTypeOf = (body: unknown): Record<string, string> =>
  body === undefined || typeof body === 'string' ? {} : { 'Content-Type': '"application/json"' };

const headersOf = (headers: Readonly<Record<string, string>>) =>
  literal(
    mapValues(headers, (source) => new Expression(source)),
    python,
    10,
  );

function mapValues<T>(
  fields: Readonly<Record<string, string>>,
  map: (value: string) => T,
): Record<string, T> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(value)]));
}

function argumentsOf({ op, body }: SampleRequest, headers: object): string[] {
  const usual = body === undefined ? 'GET' : 'POST';
  return [
    'url',
    ...(body === undefined ? [] : ['data=body']),
    ...(Object.keys(headers).length === 0 ? [] : ['headers=headers']),
    ...(op.http.method === usual ? [] : [`method="${op.http.method}"`]),
  ];
}

function outputOf({ output }: SampleRequest): string {
  if (output === 'status') return 'print(response.status)';
  return output === 'lines' ? 'print(response.read().decode())' : 'print(json.load(response))';
}
