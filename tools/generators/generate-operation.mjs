import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import prettier from 'prettier';
import { addContract, paramsFor } from './contract-files.mjs';
import { addController, addExport, addSample, addToCatalog } from './lists.mjs';
import { resourceOf } from './names.mjs';
import { contract, handler, partsOf, spec } from './skeletons.mjs';

export const SAMPLES = 'apps/e2e/src/access/samples.ts';
const CATALOG = 'libs/contracts/src/catalog/index.ts';

/**
 * @typedef {object} Generated
 * @property {string} contract the file with the operation's contract
 * @property {string} handler
 * @property {string} spec
 * @property {string[]} lists changed lists
 * @property {boolean} hasSample whether a sample input was added
 * @property {boolean} isNewResource whether the contract file is new
 */

/**
 * Writes the skeletons of an operation and adds them to their lists, or writes nothing and throws.
 * @param {string} root the workspace
 * @param {import('./names.mjs').Request} request
 * @returns {Promise<Generated>} paths relative to the workspace
 * @throws naming the existing file or operation, or the list that has another form than expected
 */
export async function generateOperation(root, request) {
  const { service, verbNoun } = request;
  const { type, constant, parameters, body } = partsOf(request);
  const read = (/** @type {string} */ path) =>
    existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';
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

/**
 * @param {Record<string, string>} paths
 * @param {string} constant
 * @param {Record<string, string>} contracts
 * @param {(path: string) => boolean} exists
 */
function assertNew({ handler: handlerPath, spec: specPath }, constant, contracts, exists) {
  const existing = [handlerPath, specPath].find((path) => path && exists(path));
  if (existing) throw new Error(`${existing} exists already: delete it, or choose another name`);
  const declared = Object.keys(contracts).find((file) =>
    contracts[file]?.includes(`export const ${constant} `),
  );
  if (declared) throw new Error(`${constant} exists already in the contract file ${declared}.ts`);
}

/**
 * @param {import('./names.mjs').Request} request
 * @param {string} folder of the contracts of all services
 */
function assertRouteIsFree({ method, path }, folder) {
  const route = new RegExp(`method: '${method}',\\s*path: '${path.replace(/\{\w+\}/g, '\\{\\w+\\}')}'`);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const declared = Object.entries(contractsIn(join(folder, entry.name))).find(([, text]) =>
      route.test(text),
    );
    if (declared) throw new Error(`${method} ${path} is declared already in ${entry.name}/${declared[0]}.ts`);
  }
}

/**
 * @param {string} folder
 * @returns {Record<string, string>} text by file name without extension
 */
function contractsIn(folder) {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return Object.fromEntries(
    files
      .filter((name) => /^[a-z-]+\.ts$/.test(name) && name !== 'index.ts')
      .map((name) => [name.slice(0, -'.ts'.length), readFileSync(join(folder, name), 'utf8')]),
  );
}

/**
 * @param {Record<string, string>} contracts
 * @param {string | undefined} params class of path parameters
 */
function operationsWith(contracts, params) {
  return [
    ...Object.values(contracts)
      .join('\n')
      .matchAll(/^export const (\w+) = operation\(.*?^\}\);/gms),
  ]
    .filter(([code]) => params && code.includes(`params: ${params},`))
    .map(([, name = '']) => name);
}

/**
 * @param {string} root
 * @param {Record<string, string | undefined>} files
 */
async function writeAll(root, files) {
  const unknown = Object.entries(files).find(([, text]) => text === undefined);
  if (unknown) throw new Error(`${unknown[0]} does not have the expected form: nothing was written`);
  for (const [path, text = ''] of Object.entries(files)) {
    const full = join(root, path);
    mkdirSync(dirname(full), { recursive: true });
    const options = await prettier.resolveConfig(full);
    writeFileSync(full, await prettier.format(text, { ...options, filepath: full }));
  }
}

/** @param {string} ids text of ids.ts, which has the prefixes of all ids */
function prefixesIn(ids) {
  return Object.fromEntries(
    [...ids.matchAll(/^ {2}([a-zA-Z]+): '([a-z]+)',$/gm)].map(([, kind, prefix]) => [kind, prefix]),
  );
}

/**
 * @param {string} text of `service-definition.ts`
 * @param {string} service
 * @param {string} apps folder of all services
 */
function definitionIn(text, service, apps) {
  const found = /export const (\w+) = defineService/.exec(text)?.[1];
  if (!found)
    throw new Error(
      `There is no service ${service} with a definition in apps/${service}/src/service-definition.ts. Services: ${servicesIn(apps).join(', ')}`,
    );
  return found;
}

/** @param {string} text of the fixture, whose `harness` calls the service */
function hasPlatform(text) {
  return /^export function usePlatform\(/m.test(text) && /^ {2}readonly harness: Harness;/m.test(text);
}

/** @param {string} apps */
function servicesIn(apps) {
  if (!existsSync(apps)) return [];
  return readdirSync(apps).filter((name) => existsSync(join(apps, name, 'src/service-definition.ts')));
}
