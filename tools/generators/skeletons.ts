import type { Params } from './contract-files.ts';
import { camel, parametersOf, pascal, type Request } from './names.ts';

const statuses = { GET: 200, POST: 201, PUT: 200, PATCH: 200, DELETE: 204 };

export function partsOf({ method, path, verbNoun }: Request) {
  const type = pascal(verbNoun);
  return {
    type,
    constant: camel(verbNoun),
    parameters: parametersOf(path),
    body: /^(POST|PUT|PATCH)$/.test(method) ? `${type}Body` : undefined,
    reply: method === 'DELETE' ? undefined : `${type}Reply`,
  };
}

/** @param known the contract file, the prefixes of ids by kind, and the existing class of the path parameters */
export function contract(
  request: Request,
  {
    resource,
    prefixes,
    params,
  }: { resource: string; prefixes: Record<string, string>; params: Params | undefined },
) {
  const { type, constant, parameters, body, reply } = partsOf(request);
  const fields = params ? [] : parameters.map((name) => parameterField(name, prefixes));
  const paramsType = params?.type ?? (parameters.length > 0 && `${type}Params`);
  const unknown = params?.unknown ?? 'NOT_FOUND';
  const decorators = [...fields.map(({ decorator }) => decorator), ...(body || reply ? ['Text'] : [])];
  const code = `${classOf(
    fields.length > 0 && paramsType,
    `Path parameters of \`${constant}\`.`,
    fields.map(({ text }) => text),
  )}${classOf(body, `Body of \`${constant}\`.`, [`@Text({ max: 100, description: 'What the field means, with its unit.' }) name: string;`])}${classOf(reply, `Reply of \`${constant}\`.`, [`@Text({ max: 100 }) name: string;`])}/** States what the operation does, with its limits and errors. */
export const ${constant} = operation({
  name: '${request.service}.${request.verbNoun}',
  summary: 'States in one sentence what the operation does.',
  http: { method: '${request.method}', path: '${request.path}', status: ${statuses[request.method]} },
  access: { credential: 'key'${request.vat ? `, vat: '${request.vat}'` : ''} },
${params?.shardBy ? `  shardBy: '${params.shardBy}',\n` : ''}${paramsType ? `  params: ${paramsType},\n  unknown: '${unknown}',\n` : ''}${body ? `  body: ${body},\n` : ''}${reply ? `  reply: ${reply},\n` : ''}${request.method === 'GET' ? '  repeatable: true,\n' : ''}  errors: [${unknown === 'NOT_FOUND' ? '' : `'${unknown}'`}],
});
`;
  return {
    code,
    imports: {
      '../core/fields.js': [...new Set(decorators)].sort(),
      '../core/operation.js': ['operation'],
      ...(params && params.file !== resource && { [`./${params.file}.js`]: [params.type] }),
    },
  };
}

function parameterField(name: string, prefixes: Record<string, string>) {
  const prefix = prefixes[camel(name.replace(/_id$/, '').replaceAll('_', '-'))];
  return prefix
    ? { decorator: 'IdOf', text: `@IdOf('${prefix}') ${name}: string;` }
    : { decorator: 'Text', text: `@Text({ min: 1, max: 100 }) ${name}: string;` };
}

function classOf(name: string | undefined | false, description: string, fields: string[]) {
  const body = fields.map((field) => `  ${field}\n`).join('');
  return name ? `/** ${description} */\nexport class ${name} {\n${body}}\n\n` : '';
}

export function handler(request: Request) {
  const { type, constant, reply } = partsOf(request);
  const context = request.vat ? 'VaultContext' : 'AccountContext';
  return `import { Controller } from '@nestjs/common';
import type { ${context === 'AccountContext' ? `${context}, Input` : `Input, ${context}`} } from '@vaultsvc/contracts';
import { ${constant}${reply ? `, type ${reply}` : ''} } from '@vaultsvc/contracts/${request.service}';
import { Handles } from '@vaultsvc/messaging';

@Controller()
export class ${type} {
  @Handles(${constant})
  async handle(_input: Input<typeof ${constant}>, _context: ${context}): Promise<${reply ?? 'void'}> {
    throw new Error('${request.service}.${request.verbNoun} is not implemented');
  }
}
`;
}

/**
 * @param service `definition`: the exported name of its definition;
 *   `hasPlatform`: whether its `testing` folder has a fixture with the running service
 */
export function spec(
  request: Request,
  { definition, hasPlatform }: { definition: string; hasPlatform: boolean },
) {
  const { constant, parameters, body, reply } = partsOf(request);
  const params = parameters.map((name) => `${name}: 'an id'`).join(', ');
  const input = [params && `params: { ${params} }`, body && `body: { name: 'a name' }`]
    .filter(Boolean)
    .join(', ');
  const fixture = hasPlatform ? platformFixture : harnessFixture(definition);
  return `import { describe, expect, it } from '@jest/globals';
import { ${constant} } from '@vaultsvc/contracts/${request.service}';
${fixture.imports}

${fixture.code}

describe('${request.method} ${request.path}', () => {
  it('states the guarantee, after the ids of its requirements', async () => {
    const reply = await ${fixture.harness}.bus.call(${constant}, {${input && ` ${input} `}}, accountContext());
    expect(reply).${reply ? `toEqual({ name: 'the guaranteed name' })` : 'toBeUndefined()'};
  });
});
`;
}

const platformFixture = {
  imports: `import { accountContext } from '@vaultsvc/testing/harness';
import { usePlatform } from '../testing/platform.js';`,
  code: 'const platform = usePlatform();',
  harness: 'platform.harness',
};

const harnessFixture = (definition: string) => ({
  imports: `import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { accountContext } from '@vaultsvc/testing/harness';
import { ${definition} } from '../service-definition.js';`,
  code: `const harness = useHarness();
useService(harness, ${definition});`,
  harness: 'harness',
});
