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

interface Sample {
  readonly service: string;
  readonly constant: string;
  readonly hasBody: boolean;
  /** The operations with the same path parameters; undefined if the path has none. */
  readonly siblings: readonly string[] | undefined;
  /** Whether the call has a Vault Access Token, which the maker of the parameters gives. */
  readonly needsToken: boolean;
}

/**
 * Adds the sample input of an operation after the samples of its service. Path parameters are those of an existing sample
 * with the same parameters.
 * @returns undefined if no sibling has a sample to copy, or the table has another form
 */
export function addSample(samples: string, sample: Sample): string | undefined {
  const { service, constant } = sample;
  const make = makerOf(samples, sample);
  if (make === undefined) return undefined;
  const entry = `\n  sample(${service}.${constant}, ${make}),`;
  const last = samples.lastIndexOf(`\n  sample(${service}.`);
  const end = samples.slice(last + 1).search(/\n(?= {2}sample\(|\n|\]\);)/);
  if (end < 0) return undefined;
  if (last >= 0) return `${samples.slice(0, last + 1 + end)}${entry}${samples.slice(last + 1 + end)}`;
  const line = `import * as ${service} from '@vaultsvc/contracts/${service}';`;
  return addImport(samples.replace(/\n\]\);/, `${entry}\n]);`), line);
}

function makerOf(samples: string, { service, hasBody, siblings, needsToken }: Sample): string | undefined {
  const body = hasBody ? [`body: { name: 'sample' }`] : [];
  if (!siblings) return `() => ({ ${body.join()} })`;
  const forms = needsToken
    ? [
        String.raw`\(tenant\) => (\w+)\(tenant\)`,
        String.raw`async \(tenant\) => \(\{\s+\.\.\.\(await (\w+)\(tenant\)\)`,
      ]
    : [String.raw`async \(tenant\) => \(\{ params: await (\w+)\(tenant\)`];
  const sampleOf = String.raw`sample\(${service}\.(?:${siblings.join('|')}), (?:${forms.join('|')})`;
  const maker = siblings.length > 0 && new RegExp(sampleOf).exec(samples)?.slice(1).find(Boolean);
  if (!maker) return undefined;
  if (needsToken && !hasBody) return `(tenant) => ${maker}(tenant)`;
  const params = needsToken ? `...(await ${maker}(tenant))` : `params: await ${maker}(tenant)`;
  return `async (tenant) => ({ ${[params, ...body].join(', ')} })`;
}
