import type { PublicOperation } from '@vaultsvc/contracts';

/** The operations that a gateway serves; injected as the catalogue or those of a test. */
export class ServedOperations {
  constructor(readonly list: readonly PublicOperation[]) {}
}

export interface Route {
  readonly operation: PublicOperation;
  /** Decoded path parameters by name; undefined for one with invalid percent-encoding. */
  readonly params: Readonly<Record<string, string | undefined>>;
}

interface Node {
  readonly literals: Map<string, Node>;
  parameter: Node | undefined;
  readonly operations: Map<string, PublicOperation>;
}

const newNode = (): Node => ({ literals: new Map(), parameter: undefined, operations: new Map() });

/**
 * Finds the operation of a method and path. Paths match exactly: case, no trailing slash, no decoding of fixed segments
 * (OPEN-55). A fixed segment has precedence over a parameter (`/ingots/search` over `/ingots/{ingot_id}`). The
 * constructor throws when two operations have the same method and path. Aliases of an operation match too.
 */
export class Router {
  readonly #root = newNode();
  readonly #names = new Map<PublicOperation, readonly string[]>();
  /** Routes without parameters, the most frequent ones, by method and path. */
  readonly #fixed = new Map<string, Route>();

  constructor(operations: readonly PublicOperation[]) {
    for (const operation of operations) this.#add(operation);
  }

  find(method: string, path: string): Route | undefined {
    const fixed = this.#fixed.get(`${method} ${path}`);
    if (fixed) return fixed;
    const values: string[] = [];
    const operation = descend(this.#root, path.split('/'), 1, method, values);
    return operation && { operation, params: this.#params(operation, values) };
  }

  /** The declared paths, each once. */
  get paths(): readonly string[] {
    const all = [...this.#names.keys()].flatMap(({ http: { path, aliases = [] } }) => [path, ...aliases]);
    return [...new Set(all)];
  }

  /** The methods that a path declares; none for an unknown path. */
  methodsOf(path: string): readonly string[] {
    const methods = nodesOf(this.#root, path.split('/'), 1).flatMap(({ operations }) => [
      ...operations.keys(),
    ]);
    return [...new Set(methods)].sort();
  }

  #add(operation: PublicOperation): void {
    const { path, aliases = [] } = operation.http;
    for (const each of [path, ...aliases]) this.#addPath(operation, each);
  }

  #addPath(operation: PublicOperation, path: string): void {
    const { method } = operation.http;
    const segments = path.split('/').slice(1);
    const names = segments.filter(isParameter).map((segment) => segment.slice(1, -1));
    const node = segments.reduce(grow, this.#root);
    if (node.operations.has(method)) throw new Error(`two operations have the route ${method} ${path}`);
    node.operations.set(method, operation);
    this.#names.set(operation, names);
    if (names.length === 0) this.#fixed.set(`${method} ${path}`, { operation, params: {} });
  }

  #params(operation: PublicOperation, values: readonly string[]): Record<string, string | undefined> {
    const names = this.#names.get(operation) ?? [];
    return Object.fromEntries(names.map((name, index) => [name, decodeSegment(values[index] as string)]));
  }
}

function grow(node: Node, segment: string): Node {
  if (isParameter(segment)) return (node.parameter ??= newNode());
  const next = node.literals.get(segment) ?? newNode();
  node.literals.set(segment, next);
  return next;
}

function descend(
  node: Node,
  segments: readonly string[],
  index: number,
  method: string,
  values: string[],
): PublicOperation | undefined {
  const segment = segments[index];
  if (segment === undefined) return node.operations.get(method);
  const literal = node.literals.get(segment);
  const found = literal && descend(literal, segments, index + 1, method, values);
  if (found || !node.parameter || segment === '') return found;
  values.push(segment);
  const below = descend(node.parameter, segments, index + 1, method, values);
  if (!below) values.pop();
  return below;
}

/** Every node that a path matches: literal segments, and parameters in their place. */
function nodesOf(node: Node, segments: readonly string[], index: number): readonly Node[] {
  const segment = segments[index];
  if (segment === undefined) return [node];
  const next = [node.literals.get(segment), segment === '' ? undefined : node.parameter];
  return next.flatMap((each) => (each ? nodesOf(each, segments, index + 1) : []));
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{') && segment.endsWith('}');
}

/** Decodes one segment, so that %2F is a character of a value and never a separator. */
function decodeSegment(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
