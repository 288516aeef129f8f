export interface Request {
  service: string;
  /** kebab-case, as in `read-spark`. */
  verbNoun: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` for each parameter. */
  path: string;
  /** The contract file, for example `spark`; undefined: derived from the path. */
  resource: string | undefined;
  /** The access to an unsealed vault that a call needs; undefined: none. */
  vat?: 'read' | 'write';
}

export const usage = `Usage: npm run generate -- <service>.<verb-noun> <METHOD> <path> [--in <resource>] [--vat read|write]
       npm run generate -- vaults.read-activity GET '/v1/vaults/{vault_id}/activity' --vat read`;

/** @throws naming the invalid argument */
export function readRequest(
  [name = '', method = '', path = '']: string[],
  { in: resource, vat }: { in?: string; vat?: string } = {},
): Request {
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
  if (vat !== undefined && vat !== 'read' && vat !== 'write')
    throw new Error(`The access to the vault must be read or write, not ${JSON.stringify(vat)}.`);
  return { service, verbNoun, method, path, resource, vat };
}

function isMethod(method: string): method is Request['method'] {
  return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method);
}

/**
 * The resource of an operation: the given one, the last noun of the path with a contract file (`ingot` of `oldest-ingot` too),
 * or the noun of the name.
 */
export function resourceOf(
  { resource, path, verbNoun }: Request,
  hasContract: (resource: string) => boolean,
) {
  const nouns = path.split('/').filter((segment) => segment && !segment.startsWith('{'));
  const known = nouns.map(singular).flatMap(withoutAdjectives).findLast(hasContract);
  return resource ?? known ?? singular(verbNoun.slice(verbNoun.indexOf('-') + 1));
}

/** `ingot` and `oldest-ingot`: the whole noun is preferred. */
function withoutAdjectives(noun: string): string[] {
  return noun.includes('-') ? [...withoutAdjectives(noun.slice(noun.indexOf('-') + 1)), noun] : [noun];
}

function singular(noun: string) {
  return noun.replace(/s$/, '');
}

export function pascal(kebab: string) {
  return kebab.replace(/(?:^|[-_])([a-z0-9])/g, (_, letter) => letter.toUpperCase());
}

export function camel(kebab: string) {
  const name = pascal(kebab);
  return name.charAt(0).toLowerCase() + name.slice(1);
}

export function parametersOf(path: string) {
  return [...path.matchAll(/\{([a-z0-9_]+)\}/g)].map(([, name = '']) => name);
}
