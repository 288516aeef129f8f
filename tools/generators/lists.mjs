/**
 * Adds an export to a contracts index, in the order of file names.
 * @param {string} index
 * @param {string} verbNoun
 */
export function addExport(index, verbNoun) {
  const line = `export * from './${verbNoun}.js';`;
  return index.includes(`'./${verbNoun}.js'`)
    ? index
    : `${index}${index && !index.endsWith('\n') ? '\n' : ''}${line}\n`;
}

/**
 * Adds a handler to the providers of a Nest module.
 * @param {string} module
 * @param {{ type: string, from: string }} handler
 * @returns {string | undefined} nothing when the module has another shape than the house's
 */
export function addProvider(module, { type, from }) {
  const withImport = addImport(module, `import { ${type} } from '${from}';`);
  if (withImport.includes('@Module({})'))
    return withImport.replace('@Module({})', `@Module({ providers: [${type}] })`);
  const list = /providers: \[([^\]]*)\]/.exec(withImport);
  if (!list) return undefined;
  const entries = list[1]?.trim().replace(/,$/, '') ?? '';
  return withImport.replace(list[0], `providers: [${entries}${entries && ', '}${type}]`);
}

/**
 * Adds a service's contracts to the catalogue that the gateway routes.
 * @param {string} catalog
 * @param {string} service
 * @returns {string | undefined} nothing when the catalogue has another shape
 */
export function addToCatalog(catalog, service) {
  const line = `import * as ${service} from '../${service}/index.js';`;
  if (catalog.includes(line)) return catalog;
  const list = /\[([a-z, \n]+)\](?=\.flatMap)/.exec(catalog);
  if (!list) return undefined;
  const entries = list[1]?.trim().replace(/,$/, '');
  return addImport(catalog, line).replace(list[0], `[${entries}, ${service}]`);
}

/**
 * @param {string} file
 * @param {string} line
 */
function addImport(file, line) {
  const last = file.lastIndexOf('\nimport ');
  const end = file.indexOf('\n', last + 1);
  return last === -1 ? `${line}\n${file}` : `${file.slice(0, end)}\n${line}${file.slice(end)}`;
}
