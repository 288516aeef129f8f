import { Expression, literal, typeScript } from './literals.js';
import type { ProviderSignature } from './provider-signatures.js';
import type { SampleRequest } from './sample-request.js';

const environment = (variable: string) => new Expression(`process.env.${variable}!`);

/** The call by the client package; a signed request of a provider, which has no client, by `fetch`. */
export function typeScriptSample(request: SampleRequest, signature: ProviderSignature | undefined): string {
  if (signature) return signedSample(request, signature);
  const { op, output } = request;
  const options = optionsOf(request);
  const call = Object.keys(options).length === 0 ? '' : `, ${literal(options, typeScript, 60)}`;
  const create = `createClient(${literal(clientOptions(request), typeScript, 31)})`;
  const answer = (method: string) => `await vaultsvc.${method}('${op.http.path}'${call});`;
  const lines = {
    json: [`const { data } = ${answer(op.http.method)}`, 'console.log(data);'],
    status: [`const { response } = ${answer(op.http.method)}`, 'console.log(response.status);'],
    lines: [`const response = ${answer('stream')}`, 'console.log(await response.text());'],
  };
  return [
    "import { createClient } from '@vaultsvc/client';",
    '',
    `const vaultsvc = ${create};`,
    ...lines[output],
  ].join('\n');
}

const variableOf = ({ secrets }: SampleRequest, header: string) =>
  secrets.find(({ name }) => name === header)?.variable;

function clientOptions(request: SampleRequest): Record<string, unknown> {
  const [key, vat] = [variableOf(request, 'X-API-Key'), variableOf(request, 'X-Vault-Access-Token')];
  return {
    url: environment('VAULTSVC_URL'),
    ...(key && { apiKey: environment(key) }),
    ...(vat && { vat: environment(vat) }),
  };
}

function optionsOf(request: SampleRequest): Record<string, unknown> {
  const { params, query, body, origin } = request;
  const isNeeded = (fields: object) => Object.keys(fields).length > 0;
  const token = variableOf(request, 'Authorization');
  return {
    ...(origin === 'VAULTSVC_LINKS' && { baseUrl: environment('VAULTSVC_LINKS') }),
    ...((isNeeded(params) || isNeeded(query)) && {
      params: { ...(isNeeded(params) && { path: params }), ...(isNeeded(query) && { query }) },
    }),
    ...(body !== undefined && { body }),
    ...(token && { headers: { Authorization: new Expression(`\`Bearer \${process.env.${token}}\``) } }),
  };
}

function signedSample(request: SampleRequest, { query, typeScript: code }: ProviderSignature): string {
  const { origin, target, body, output } = request;
  const headers = {
    ...Object.fromEntries(
      Object.entries(code.headers).map(([name, source]) => [name, new Expression(source)]),
    ),
    'Content-Type': typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json',
  };
  const text = literal(body, typeScript, typeof body === 'string' ? 13 : 30);
  return [
    ...code.imports,
    '',
    `const url = \`\${process.env.${origin}}${target}${query}\`;`,
    `const body = ${typeof body === 'string' ? text : `JSON.stringify(${text})`};`,
    ...code.statements,
    `const headers = ${literal(headers, typeScript, 18)};`,
    "const response = await fetch(url, { method: 'POST', headers, body });",
    output === 'json' ? 'console.log(await response.json());' : 'console.log(response.status);',
  ].join('\n');
}
