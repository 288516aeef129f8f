import type { Request } from './names.ts';
import { CONTRACTS, contractsIn, type Contracts } from './service-sources.ts';
import type { Workspace } from './workspace.ts';

/** @throws naming the file that exists already */
export function assertFilesAreNew(workspace: Workspace, paths: readonly string[]) {
  const existing = paths.find((path) => workspace.has(path));
  if (existing) throw new Error(`${existing} exists already: delete it, or choose another name`);
}

/**
 * @param contracts of the service
 * @throws naming the file that declares the constant already
 */
export function assertConstantIsNew(constant: string, contracts: Contracts) {
  const declared = Object.keys(contracts).find((file) =>
    contracts[file]?.includes(`export const ${constant} `),
  );
  if (declared) throw new Error(`${constant} exists already in the contract file ${declared}.ts`);
}

/** @throws naming the contract file of any service that declares the route already */
export function assertRouteIsFree(workspace: Workspace, { method, path }: Request) {
  const route = new RegExp(`method: '${method}',\\s*path: '${path.replace(/\{\w+\}/g, '\\{\\w+\\}')}'`);
  for (const service of workspace.foldersIn(CONTRACTS)) {
    const contracts = Object.entries(contractsIn(workspace, `${CONTRACTS}/${service}`));
    const declared = contracts.find(([, text]) => route.test(text));
    if (declared) throw new Error(`${method} ${path} is declared already in ${service}/${declared[0]}.ts`);
  }
}
