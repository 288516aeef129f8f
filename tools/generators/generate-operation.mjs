import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import prettier from 'prettier';
import { addExport, addProvider, addToCatalog } from './lists.mjs';
import { pascal } from './names.mjs';
import { contract, handler, spec } from './skeletons.mjs';

/**
 * Writes the skeletons of an operation and adds them to their lists. Writes nothing when a file is in the way.
 * @param {string} root the workspace
 * @param {import('./names.mjs').Request} request
 * @returns {Promise<string[]>} the files written, relative to the workspace
 * @throws naming what is in the way, or the list that it could not extend
 */
export async function generateOperation(root, request) {
  const { service, verbNoun, folder } = request;
  const read = (/** @type {string} */ path) =>
    existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';
  const contracts = `libs/contracts/src/${service}`;
  const app = `apps/${service}/src`;
  const made = {
    [`${contracts}/${verbNoun}.ts`]: contract(request, prefixesIn(read('libs/contracts/src/core/ids.ts'))),
    [`${app}/${folder}/${verbNoun}.handler.ts`]: handler(request),
    [`${app}/${folder}/${verbNoun}.spec.ts`]: spec(
      request,
      definitionIn(read(`${app}/service-definition.ts`), service),
    ),
  };
  const inTheWay = Object.keys(made).find((path) => existsSync(join(root, path)));
  if (inTheWay) throw new Error(`${inTheWay} exists already`);
  const lists = {
    [`${contracts}/index.ts`]: addExport(read(`${contracts}/index.ts`), verbNoun),
    'libs/contracts/src/catalog/index.ts': addToCatalog(read('libs/contracts/src/catalog/index.ts'), service),
    [`${app}/${service}.module.ts`]: addProvider(read(`${app}/${service}.module.ts`), {
      type: pascal(verbNoun),
      from: `./${folder}/${verbNoun}.handler.js`,
    }),
  };
  return writeAll(root, { ...made, ...lists });
}

/**
 * @param {string} root
 * @param {Record<string, string | undefined>} files
 */
async function writeAll(root, files) {
  const unknown = Object.entries(files).find(([, text]) => text === undefined);
  if (unknown) throw new Error(`${unknown[0]} is not shaped as expected: nothing was written`);
  for (const [path, text = ''] of Object.entries(files)) {
    const full = join(root, path);
    mkdirSync(dirname(full), { recursive: true });
    const options = await prettier.resolveConfig(full);
    writeFileSync(full, await prettier.format(text, { ...options, filepath: full }));
  }
  return Object.keys(files);
}

/** @param {string} ids text of ids.ts: its table of prefixes is the one that contracts use */
function prefixesIn(ids) {
  return Object.fromEntries(
    [...ids.matchAll(/^ {2}([a-zA-Z]+): '([a-z]+)',$/gm)].map(([, thing, prefix]) => [thing, prefix]),
  );
}

/**
 * @param {string} text of `service-definition.ts`
 * @param {string} service
 */
function definitionIn(text, service) {
  const found = /export const (\w+) = defineService/.exec(text)?.[1];
  if (!found)
    throw new Error(
      `There is no service ${service} with a definition in apps/${service}/src/service-definition.ts`,
    );
  return found;
}
