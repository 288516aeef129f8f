import { camel, parametersOf, pascal } from './names.mjs';

/** @typedef {import('./names.mjs').Request} Request */

const statuses = { GET: 200, POST: 201, PUT: 200, PATCH: 200, DELETE: 204 };

/** @param {Request} request */
function partsOf({ method, path, verbNoun }) {
  const type = pascal(verbNoun);
  return {
    type,
    constant: camel(verbNoun),
    parameters: parametersOf(path),
    body: /^(POST|PUT|PATCH)$/.test(method) ? type : undefined,
    reply: method === 'DELETE' ? undefined : `${type}Reply`,
  };
}

/**
 * @param {Request} request
 * @param {Record<string, string>} prefixes thing → prefix of its ids
 */
export function contract(request, prefixes) {
  const { type, constant, parameters, body, reply } = partsOf(request);
  const fields = parameters.map((name) => parameterField(name, prefixes));
  const decorators = [
    ...new Set([...fields.map(({ decorator }) => decorator), ...(body || reply ? ['Text'] : [])]),
  ];
  return `${decorators.length > 0 ? `import { ${decorators.sort().join(', ')} } from '../core/fields.js';\n` : ''}import { operation } from '../core/operation.js';

${classOf(
  fields.length > 0 && `${type}Path`,
  fields.map(({ text }) => text),
)}${classOf(body, [`@Text({ max: 100, description: 'What this is.' }) name: string;`])}${classOf(reply, [`@Text({ max: 100 }) name: string;`])}/** Says what it does, with its limits and units. */
export const ${constant} = operation({
  name: '${request.service}.${request.verbNoun}',
  summary: 'Says in a sentence what it does.',
  http: { method: '${request.method}', path: '${request.path}', status: ${statuses[request.method]} },
  access: { credential: 'key' },
${fields.length > 0 ? `  params: ${type}Path,\n  unknown: 'NOT_FOUND',\n` : ''}${body ? `  body: ${body},\n` : ''}${reply ? `  reply: ${reply},\n` : ''}  errors: [],
});
`;
}

/**
 * @param {string} name
 * @param {Record<string, string>} prefixes
 */
function parameterField(name, prefixes) {
  const prefix = prefixes[camel(name.replace(/_id$/, '').replaceAll('_', '-'))];
  return prefix
    ? { decorator: 'IdOf', text: `@IdOf('${prefix}') ${name}: string;` }
    : { decorator: 'Text', text: `@Text({ min: 1, max: 100 }) ${name}: string;` };
}

/**
 * @param {string | undefined | false} name
 * @param {string[]} fields
 */
function classOf(name, fields) {
  return name ? `export class ${name} {\n${fields.map((field) => `  ${field}\n`).join('')}}\n\n` : '';
}

/** @param {Request} request */
export function handler(request) {
  const { type, constant, reply } = partsOf(request);
  return `import { Injectable } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { ${constant}${reply ? `, type ${reply}` : ''} } from '@vaultsvc/contracts/${request.service}';
import { Handles } from '@vaultsvc/messaging';

@Injectable()
export class ${type} {
  @Handles(${constant})
  async handle(_input: Input<typeof ${constant}>, _context: AccountContext): Promise<${reply ?? 'void'}> {
    throw new Error('${request.service}.${request.verbNoun} is not written yet');
  }
}
`;
}

/**
 * @param {Request} request
 * @param {string} definition the exported name of the service's definition
 */
export function spec(request, definition) {
  const { constant, parameters, body, reply } = partsOf(request);
  const params = parameters.map((name) => `${name}: 'an id'`).join(', ');
  const input = [params && `params: { ${params} }`, body && `body: { name: 'a name' }`]
    .filter(Boolean)
    .join(', ');
  return `import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ${constant} } from '@vaultsvc/contracts/${request.service}';
import { accountContext, startHarness, type Harness } from '@vaultsvc/testing/harness';
import { ${definition} } from '../service-definition.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
  await harness.start(${definition});
});
afterAll(() => harness.stop());

describe('${request.service}.${request.verbNoun}', () => {
  it('says what is guaranteed, after the ids of its requirements', async () => {
    const reply = await harness.bus.call(${constant}, {${input && ` ${input} `}}, accountContext());
    expect(reply).${reply ? `toEqual({ name: 'what is promised' })` : 'toBeUndefined()'};
  });
});
`;
}
