import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import prettier from 'prettier';
import { addContract, paramsFor } from './contract-files.ts';
import { addController, addExport, addSample, addToCatalog } from './lists.ts';
import { resourceOf, type Request } from './names.ts';
import { contract, handler, partsOf, spec } from './skeletons.ts';

export const SAMPLES = 'apps/e2e/src/access/samples.ts';
const CATALOG = 'libs/contracts/src/catalog/index.ts';

interface Generated {
  /** The file with the operation's contract. */
  contract: string;
  handler: string;
  spec: string;
  /** Changed lists. */
  lists: string[];
  /** Whether a sample input was added. */
  hasSample: boolean;
  /** Whether the contract file is new. */
  isNewResource: boolean;
}

/**
 * Writes the skeletons of an operation and adds them to their lists, or writes nothing and throws.
 * @param root the workspace
 * @returns paths relative to the workspace
 * @throws naming the existing file or operation, or the list that has another form than expected
 */
export async function generateOperation(root: string, request: Request): Promise<Generated> {
  const { service, verbNoun } = request;
  const { type, constant, parameters, body } = partsOf(request);
  const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '');
  const app = `apps/${service}/src`;
  const definition = definitionIn(read(`${app}/service-definition.ts`), service, join(root, 'apps'));
  const contracts = contractsIn(join(root, `libs/contracts/src/${service}`));
  const resource = resourceOf(request, (name) => name in contracts);
  const folder = [`${resource}s`, resource].find((name) => existsSync(join(root, app, name))) ?? resource;
  const paths = {
    contract: `libs/contracts/src/${service}/${resource}.ts`,
    handler: `${app}/${folder}/${verbNoun}.handler.ts`,
    spec: `${app}/${folder}/${verbNoun}.spec.ts`,
  };
  assertNew(paths, constant, contracts, (path) => existsSync(join(root, path)));
  assertRouteIsFree(request, join(root, 'libs/contracts/src'));

  const params = parameters.length > 0 ? paramsFor(contracts, parameters) : undefined;
  const prefixes = prefixesIn(read('libs/contracts/src/core/ids.ts'));
  const index = `libs/contracts/src/${service}/index.ts`;
  const lists = {
    [index]: addExport(read(index), resource),
    [CATALOG]: addToCatalog(read(CATALOG), service),
    [`${app}/${service}.module.ts`]: addController(read(`${app}/${service}.module.ts`), {
      type,
      from: `./${folder}/${verbNoun}.handler.js`,
    }),
  };
  const siblings = parameters.length > 0 ? operationsWith(contracts, params?.type) : undefined;
  const sample = addSample(read(SAMPLES), { service, constant, hasBody: Boolean(body), siblings });
  const changedLists = Object.entries(lists).flatMap(([path, text]) => (text === read(path) ? [] : [path]));
  await writeAll(root, {
    [paths.contract]: addContract(
      contracts[resource] ?? '',
      contract(request, { resource, prefixes, params }),
    ),
    [paths.handler]: handler(request),
    [paths.spec]: spec(request, { definition, hasPlatform: hasPlatform(read(`${app}/testing/platform.ts`)) }),
    ...lists,
    ...(sample && { [SAMPLES]: sample }),
  });
  return {
    ...paths,
    lists: changedLists,
    hasSample: sample !== undefined,
    isNewResource: !(resource in contracts),
  };
}

function assertNew(
  { handler: handlerPath, spec: specPath }: Record<string, string>,
  constant: string,
  contracts: Record<string, string>,
  exists: (path: string) => boolean,
) {
  const existing = [handlerPath, specPath].find((path) => path && exists(path));
  if (existing) throw new Error(`${existing} exists already: delete it, or choose another name`);
  const declared = Object.keys(contracts).find((file) =>
    contracts[file]?.includes(`export const ${constant} `),
  );
  if (declared) throw new Error(`${constant} exists already in the contract file ${declared}.ts`);
}

/** @param folder of the contracts of all services */
function assertRouteIsFree({ method, path }: Request, folder: string) {
  const route = new RegExp(`method: '${method}',\\s*path: '${path.replace(/\{\w+\}/g, '\\{\\w+\\}')}'`);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const declared = Object.entries(contractsIn(join(folder, entry.name))).find(([, text]) =>
      route.test(text),
    );
    if (declared) throw new Error(`${method} ${path} is declared already in ${entry.name}/${declared[0]}.ts`);
  }
}

/** @returns text by file name without extension */
function contractsIn(folder: string): Record<string, string> {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return Object.fromEntries(
    files
      .filter((name) => /^[a-z-]+\.ts$/.test(name) && name !== 'index.ts')
      .map((name) => [name.slice(0, -'.ts'.length), readFileSync(join(folder, name), 'utf8')]),
  );
}

/** @param params class of path parameters */
function operationsWith(contracts: Record<string, string>, params: string | undefined) {
  return [
    ...Object.values(contracts)
      .join('\n')
      .matchAll(/^export const (\w+) = operation\(.*?^\}\);/gms),
  ]
    .filter(([code]) => params && code.includes(`params: ${params},`))
    .map(([, name = '']) => name);
}

async function writeAll(root: string, files: Record<string, string | undefined>) {
  const unknown = Object.entries(files).find(([, text]) => text === undefined);
  if (unknown) throw new Error(`${unknown[0]} does not have the expected form: nothing was written`);
  for (const [path, text = ''] of Object.entries(files)) {
    const full = join(root, path);
    mkdirSync(dirname(full), { recursive: true });
    const options = await prettier.resolveConfig(full);
    writeFileSync(full, await prettier.format(text, { ...options, filepath: full }));
  }
}

/** @param ids text of ids.ts, which has the prefixes of all ids */
function prefixesIn(ids: string) {
  return Object.fromEntries(
    [...ids.matchAll(/^ {2}([a-zA-Z]+): '([a-z]+)',$/gm)].map(([, kind, prefix]) => [kind, prefix]),
  );
}

/**
 * @param text of `service-definition.ts`
 * @param apps folder of all services
 */
function definitionIn(text: string, service: string, apps: string) {
  const found = /export const (\w+) = defineService/.exec(text)?.[1];
  if (!found)
    throw new Error(
      `There is no service ${service} with a definition in apps/${service}/src/service-definition.ts. Services: ${servicesIn(apps).join(', ')}`,
    );
  return found;
}

/** @param text of the fixture, whose `harness` calls the service */
function hasPlatform(text: string) {
  return /^export function usePlatform\(/m.test(text) && /^ {2}readonly harness: Harness;/m.test(text);
}

function servicesIn(apps: string) {
  if (!existsSync(apps)) return [];
  return readdirSync(apps).filter((name) => existsSync(join(apps, name, 'src/service-definition.ts')));
}
