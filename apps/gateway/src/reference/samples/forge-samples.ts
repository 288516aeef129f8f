import type { CodeSample } from './code-samples.js';
import type { ForgeRequest } from './forge-requests.js';
import { literal, python, typeScript } from './literals.js';

/** The samples of a request to Forge, in the languages of all samples. */
export function forgeSamplesOf(request: ForgeRequest): readonly CodeSample[] {
  return [
    { lang: 'Shell', label: 'curl', source: shellSample(request) },
    { lang: 'TypeScript', label: 'TypeScript', source: typeScriptSample(request) },
    { lang: 'Python', label: 'Python', source: pythonSample(request) },
  ];
}

/** Text as it is, variables in the syntax of a language. */
function urlText({ url }: ForgeRequest, variable: (name: string) => string): string {
  return url.map((part) => (typeof part === 'string' ? part : variable(part.variable))).join('');
}

const hasHeaders = ({ headers }: ForgeRequest) => Object.keys(headers).length > 0;

function shellSample(request: ForgeRequest): string {
  const { headers, body } = request;
  return [
    `curl ${shellOptions(request)} "${urlText(request, (name) => `$${name}`)}"`,
    ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
    ...(body === undefined ? [] : [`--data-binary '${body}'`]),
    ...(request.output === 'status' ? [`-w '%{http_code}\\n'`] : []),
  ].join(' \\\n  ');
}

/** With `-i` and `-I` curl prints the headers of the answer. */
function shellOptions({ method, output }: ForgeRequest): string {
  if (method === 'HEAD') return '-sI';
  const printed = typeof output === 'object' || output === 'location' ? '-si' : '-s';
  return method === 'GET' ? printed : `${printed} -X ${method}`;
}

function typeScriptSample(request: ForgeRequest): string {
  const { method, headers, body, url } = request;
  const text = urlText(request, (name) => `\${process.env.${name}}`);
  const [{ variable }] = url;
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(hasHeaders(request) ? ['headers'] : []),
    ...(body === undefined ? [] : [`body: '${body}'`]),
  ];
  return [
    `const url = ${url.length === 1 ? `process.env.${variable}!` : `\`${text}\``};`,
    ...(hasHeaders(request) ? [`const headers = ${literal(headers, typeScript, 18)};`] : []),
    `const response = await fetch(url${options.length === 0 ? '' : `, { ${options.join(', ')} }`});`,
    `console.log(${typeScriptOutput(request)});`,
  ].join('\n');
}

function typeScriptOutput({ output }: ForgeRequest): string {
  if (typeof output === 'object') return `response.headers.get('${output.header}')`;
  const expressions = {
    location: "new URL(response.headers.get('Location')!, url).href",
    status: 'response.status',
    json: 'await response.json()',
    text: 'await response.text()',
  };
  return expressions[output];
}

function pythonSample(request: ForgeRequest): string {
  const { method, headers, body, url, output } = request;
  const parts = url.map((part) =>
    typeof part === 'string' ? `"${part}"` : `os.environ["${part.variable}"]`,
  );
  const options = [
    'url',
    ...(body === undefined ? [] : [`data=b"${body}"`]),
    ...(hasHeaders(request) ? ['headers=headers'] : []),
    ...(method === 'GET' ? [] : [`method="${method}"`]),
  ];
  const modules = [
    ...(output === 'json' ? ['json'] : []),
    'os',
    ...(output === 'location' ? ['urllib.parse'] : []),
    'urllib.request',
  ];
  return [
    `import ${modules.join(', ')}`,
    '',
    `url = ${parts.join(' + ')}`,
    ...(hasHeaders(request) ? [`headers = ${literal(headers, python, 10)}`] : []),
    `request = urllib.request.Request(${options.join(', ')})`,
    'with urllib.request.urlopen(request) as response:',
    `    print(${pythonOutput(request)})`,
  ].join('\n');
}

function pythonOutput({ output }: ForgeRequest): string {
  if (typeof output === 'object') return `response.headers["${output.header}"]`;
  const expressions = {
    location: 'urllib.parse.urljoin(url, response.headers["Location"])',
    status: 'response.status',
    json: 'json.load(response)',
    text: 'response.read().decode()',
  };
  return expressions[output];
}
