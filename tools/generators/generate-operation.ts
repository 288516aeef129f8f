import { assertConstantIsNew, assertFilesAreNew, assertRouteIsFree } from './conflicts.ts';
import { addContract, paramsFor, type Params } from './contract-files.ts';
import { addController, addExport, addSample, addToCatalog } from './lists.ts';
import { resourceOf, type Request } from './names.ts';
import {
  CONTRACTS,
  contractsIn,
  definitionOf,
  hasPlatform,
  idPrefixes,
  operationsWith,
  type Contracts,
} from './service-sources.ts';
import { contract, handler, partsOf, spec } from './skeletons.ts';
import { Workspace } from './workspace.ts';

export const SAMPLES = 'apps/e2e/src/access/samples.ts';
const CATALOG = `${CONTRACTS}/catalog/index.ts`;

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
  const workspace = new Workspace(root);
  const definition = definitionOf(workspace, request.service);
  const contracts = contractsIn(workspace, `${CONTRACTS}/${request.service}`);
  const resource = resourceOf(request, (name) => name in contracts);
  const paths = pathsOf(workspace, request, resource);
  const { constant, parameters } = partsOf(request);
  assertFilesAreNew(workspace, [paths.handler, paths.spec]);
  assertConstantIsNew(constant, contracts);
  assertRouteIsFree(workspace, request);

  const params = parameters.length > 0 ? paramsFor(contracts, parameters) : undefined;
  const lists = listsWith(workspace, request, resource, paths.handler);
  const sample = samplesWith(workspace, request, contracts, params);
  const changedLists = Object.keys(lists).filter((path) => lists[path] !== workspace.read(path));
  const declaration = contract(request, { resource, prefixes: idPrefixes(workspace), params });
  await workspace.write({
    [paths.contract]: addContract(contracts[resource] ?? '', declaration),
    [paths.handler]: handler(request),
    [paths.spec]: spec(request, { definition, hasPlatform: hasPlatform(workspace, request.service) }),
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

function pathsOf(workspace: Workspace, { service, verbNoun }: Request, resource: string) {
  const app = `apps/${service}/src`;
  const folder = [`${resource}s`, resource].find((name) => workspace.has(`${app}/${name}`)) ?? resource;
  return {
    contract: `${CONTRACTS}/${service}/${resource}.ts`,
    handler: `${app}/${folder}/${verbNoun}.handler.ts`,
    spec: `${app}/${folder}/${verbNoun}.spec.ts`,
  };
}

/** The lists of the service with the operation, by path; undefined where a list has another form than expected. */
function listsWith(
  workspace: Workspace,
  request: Request,
  resource: string,
  handlerPath: string,
): Record<string, string | undefined> {
  const { service } = request;
  const index = `${CONTRACTS}/${service}/index.ts`;
  const app = `apps/${service}/src`;
  const module = `${app}/${service}.module.ts`;
  const from = handlerPath.replace(app, '.').replace(/\.ts$/, '.js');
  return {
    [index]: addExport(workspace.read(index), resource),
    [CATALOG]: addToCatalog(workspace.read(CATALOG), service),
    [module]: addController(workspace.read(module), { type: partsOf(request).type, from }),
  };
}

/** The samples with one of the operation; undefined where none can be made. */
function samplesWith(
  workspace: Workspace,
  request: Request,
  contracts: Contracts,
  params: Params | undefined,
) {
  const { constant, parameters, body } = partsOf(request);
  const { service, vat } = request;
  const needsToken = vat !== undefined;
  const siblings = parameters.length > 0 ? operationsWith(contracts, params?.type, needsToken) : undefined;
  const given = { service, constant, hasBody: Boolean(body), siblings, needsToken };
  return addSample(workspace.read(SAMPLES), given);
}
