/**
 * @typedef {object} Request
 * @property {string} service
 * @property {string} verbNoun kebab-case, as in `read-spark`
 * @property {'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} method
 * @property {string} path with `{name}` for each parameter
 * @property {string | undefined} resource the contract file, for example `spark`; undefined: derived from the path
 */

export const usage = `Usage: npm run generate -- <service>.<verb-noun> <METHOD> <path> [--in <resource>]
       npm run generate -- vaults.read-activity GET '/v1/vaults/{vault_id}/activity'`;

/**
 * @param {string[]} positionals
 * @param {string} [resource]
 * @returns {Request}
 * @throws naming the invalid argument
 */
export function readRequest([name = '', method = '', path = ''], resource) {
  const [, service = '', verbNoun = ''] = /^([a-z]+)\.([a-z]+(?:-[a-z0-9]+)+)$/.exec(name) ?? [];
  if (!service)
    throw new Error(
      `The name must be a service, a verb and a noun, such as sparks.inspect-spark, not ${JSON.stringify(name)}.\n${usage}`,
    );
  if (!isMethod(method))
    throw new Error(`The method must be GET, POST, PUT, PATCH or DELETE, not ${JSON.stringify(method)}.`);
  if (!/^\/v1(\/([a-z0-9-]+|\{[a-z][a-z0-9_]*\}))+$/.test(path))
    throw new Error(`The path must be like /v1/sparks/{spark_id}, not ${JSON.stringify(path)}.`);
  if (resource !== undefined && !/^[a-z][a-z0-9-]*$/.test(resource))
    throw new Error(`The resource must be kebab-case, not ${JSON.stringify(resource)}.`);
  return { service, verbNoun, method, path, resource };
}

/**
 * @param {string} method
 * @returns {method is Request['method']}
 */
function isMethod(method) {
  return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method);
}

/**
 * The resource of an operation: the given one, the last noun of the path with a contract file, or the noun of the name.
 * @param {Request} request
 * @param {(resource: string) => boolean} hasContract
 */
export function resourceOf({ resource, path, verbNoun }, hasContract) {
  const nouns = path.split('/').filter((segment) => segment && !segment.startsWith('{'));
  const known = nouns.map(singular).findLast(hasContract);
  return resource ?? known ?? singular(verbNoun.slice(verbNoun.indexOf('-') + 1));
}

/** @param {string} noun */
function singular(noun) {
  return noun.replace(/s$/, '');
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
