import { addImport } from './contract-files.ts';

/** Adds an export to the index of a service's contracts. */
export function addExport(index: string, resource: string) {
  const line = `export * from './${resource}.js';\n`;
  return index.includes(line) ? index : `${index}${line}`;
}

/**
 * Adds a handler to the controllers of a Nest module.
 * @returns undefined if the module has another form
 */
export function addController(
  module: string,
  { type, from }: { type: string; from: string },
): string | undefined {
  const withImport = addImport(module, `import { ${type} } from '${from}';`);
  const list = /controllers: \[([^\]]*)\]/.exec(withImport);
  if (!list) {
    const start = '@Module({';
    return withImport.includes(start)
      ? withImport.replace(start, `${start} controllers: [${type}], `)
      : undefined;
  }
  const entries = list[1]?.trim().replace(/,$/, '') ?? '';
  return withImport.replace(list[0], `controllers: [${entries}${entries && ', '}${type}]`);
}

/**
 * Adds the contracts of a service to the catalog that the gateway routes.
 * @returns undefined if the catalog has another form
 */
export function addToCatalog(catalog: string, service: string): string | undefined {
  const line = `import * as ${service} from '../${service}/index.js';`;
  if (catalog.includes(line)) return catalog;
  const list = /\[([a-z, \n]+)\](?=\.flatMap)/.exec(catalog);
  if (!list) return undefined;
  const entries = list[1]?.trim().replace(/,$/, '');
  return addImport(catalog, line).replace(list[0], `[${entries}, ${service}]`);
}

/**
 * Adds the sample input of an operation after the samples of its service. Path parameters are those of an existing sample
 * with the same parameters.
 * @param operation `siblings`:
 *   the operations with the same path parameters; undefined if the path has none
 * @returns undefined if no sibling has a sample to copy, or the table has another form
 */
export function addSample(
  samples: string,
  {
    service,
    constant,
    hasBody,
    siblings,
  }: { service: string; constant: string; hasBody: boolean; siblings: string[] | undefined },
): string | undefined {
  const params = siblings && makerOfParams(samples, service, siblings);
  if (siblings && !params) return undefined;
  const parts = [params && `params: await ${params}(tenant)`, hasBody && `body: { name: 'sample' }`];
  const input = `({ ${parts.filter(Boolean).join(', ')} })`;
  const make = params ? `async (tenant) => ${input}` : `() => ${input}`;
  const entry = `\n  sample(${service}.${constant}, ${make}),`;
  const last = samples.lastIndexOf(`\n  sample(${service}.`);
  const end = samples.slice(last + 1).search(/\n(?= {2}sample\(|\n|\]\);)/);
  if (end < 0) return undefined;
  if (last >= 0) return `${samples.slice(0, last + 1 + end)}${entry}${samples.slice(last + 1 + end)}`;
  const line = `import * as ${service} from '@vaultsvc/contracts/${service}';`;
  return addImport(samples.replace(/\n\]\);/, `${entry}\n]);`), line);
}

function makerOfParams(samples: string, service: string, siblings: string[]) {
  const pattern = `sample\\(${service}\\.(?:${siblings.join('|')}), async \\(tenant\\) => \\(\\{ params: await (\\w+)\\(tenant\\)`;
  return siblings.length > 0 ? new RegExp(pattern).exec(samples)?.[1] : undefined;
}
