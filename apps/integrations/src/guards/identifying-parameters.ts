import { validationError } from '@vaultsvc/contracts';

/** Ids of portals, orgs, people and workspaces. */
const ID = /^[A-Za-z0-9][\w.:-]{0,127}$/;

/**
 * The one value of a parameter that identifies. A second value is refused: the provider may have signed for the one, and we would
 * act for the other. @throws VALIDATION_ERROR without exactly one, or for what is no id
 */
export function idOf(parameters: URLSearchParams, name: string): string {
  const value = singleValue(parameters, name);
  if (!ID.test(value)) throw validationError({ field: name, message: `${name} must be an id` });
  return value;
}

/** The one value of a parameter. @throws VALIDATION_ERROR */
export function singleValue(parameters: URLSearchParams, name: string): string {
  const [value, ...others] = parameters.getAll(name);
  if (value === undefined || others.length > 0)
    throw validationError({ field: name, message: `${name} must be given exactly once` });
  return value;
}

/** @throws VALIDATION_ERROR for a parameter that is given more than once */
export function assertNotRepeated(parameters: URLSearchParams, names: readonly string[]): void {
  for (const name of names) if (parameters.has(name)) singleValue(parameters, name);
}

/** The query of a target as received. */
export function queryOf(target: string): URLSearchParams {
  const at = target.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : target.slice(at + 1));
}
