/**
 * @typedef {object} Request
 * @property {string} service
 * @property {string} verbNoun kebab-case, as in `read-spark`
 * @property {'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} method
 * @property {string} path with `{name}` for each parameter
 * @property {string} folder in the service, for example `spark`
 */

export const usage = `Usage: npm run generate -- <service>.<verb-noun> <METHOD> <path> [--in <folder>]
       npm run generate -- sparks.read-spark GET '/v1/sparks/{spark_id}'`;

/**
 * @param {string[]} positionals
 * @param {string} [folder]
 * @returns {Request}
 * @throws naming what is wrong
 */
export function readRequest([name = '', method = '', path = ''], folder) {
  const [, service = '', verbNoun = ''] = /^([a-z]+)\.([a-z]+(?:-[a-z0-9]+)+)$/.exec(name) ?? [];
  if (!service)
    throw new Error(`The name must be like sparks.read-spark, not ${JSON.stringify(name)}.\n${usage}`);
  if (!isMethod(method))
    throw new Error(`The method must be GET, POST, PUT, PATCH or DELETE, not ${JSON.stringify(method)}.`);
  if (!/^\/v1(\/([a-z0-9-]+|\{[a-z][a-z0-9_]*\}))+$/.test(path))
    throw new Error(`The path must be like /v1/sparks/{spark_id}, not ${JSON.stringify(path)}.`);
  const noun = folder ?? verbNoun.slice(verbNoun.indexOf('-') + 1).replace(/s$/, '');
  if (!/^[a-z][a-z0-9-]*$/.test(noun))
    throw new Error(`The folder must be kebab-case, not ${JSON.stringify(noun)}.`);
  return { service, verbNoun, method, path, folder: noun };
}

/**
 * @param {string} method
 * @returns {method is Request['method']}
 */
function isMethod(method) {
  return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method);
}

/** @param {string} kebab */
export function pascal(kebab) {
  return kebab.replace(/(?:^|[-_])([a-z0-9])/g, (_, letter) => letter.toUpperCase());
}

/** @param {string} kebab */
export function camel(kebab) {
  const name = pascal(kebab);
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** @param {string} path */
export function parametersOf(path) {
  return [...path.matchAll(/\{([a-z0-9_]+)\}/g)].map(([, name = '']) => name);
}
