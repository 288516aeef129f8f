import type { Workspace } from './workspace.ts';

/** Folder of the contracts of all services. */
export const CONTRACTS = 'libs/contracts/src';

/** Text of each contract file by its name without extension. */
export type Contracts = Readonly<Record<string, string>>;

/** @param folder of the contracts of one service */
export function contractsIn(workspace: Workspace, folder: string): Contracts {
  return Object.fromEntries(
    workspace
      .namesIn(folder)
      .filter((name) => /^[a-z-]+\.ts$/.test(name) && name !== 'index.ts')
      .map((name) => [name.slice(0, -'.ts'.length), workspace.read(`${folder}/${name}`)]),
  );
}

/**
 * The operations with a class of path parameters, and of those with a Vault Access Token only, if `needsToken`.
 * @param params the class
 */
export function operationsWith(contracts: Contracts, params: string | undefined, needsToken: boolean) {
  return [
    ...Object.values(contracts)
      .join('\n')
      .matchAll(/^export const (\w+) = operation\(.*?^\}\);/gms),
  ]
    .filter(
      ([code]) => params && code.includes(`params: ${params},`) && (!needsToken || /\bvat: '/.test(code)),
    )
    .map(([, name = '']) => name);
}

/** The prefixes of ids by kind. */
export function idPrefixes(workspace: Workspace) {
  const ids = workspace.read(`${CONTRACTS}/core/ids.ts`);
  return Object.fromEntries(
    [...ids.matchAll(/^ {2}([a-zA-Z]+): '([a-z]+)',$/gm)].map(([, kind, prefix]) => [kind, prefix]),
  );
}

const definitionPath = (service: string) => `apps/${service}/src/service-definition.ts`;

/** The exported name of the definition of a service. */
export function definitionOf(workspace: Workspace, service: string) {
  const path = definitionPath(service);
  const found = /export const (\w+) = defineService/.exec(workspace.read(path))?.[1];
  if (found) return found;
  const services = workspace.namesIn('apps').filter((name) => workspace.has(definitionPath(name)));
  throw new Error(
    `There is no service ${service} with a definition in ${path}. Services: ${services.join(', ')}`,
  );
}

/** Whether a service has a fixture whose `harness` calls it. */
export function hasPlatform(workspace: Workspace, service: string) {
  const text = workspace.read(`apps/${service}/src/testing/platform.ts`);
  return /^export function usePlatform\(/m.test(text) && /^ {2}readonly harness: Harness;/m.test(text);
}
