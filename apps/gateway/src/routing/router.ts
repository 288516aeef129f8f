import type { PublicOperation } from '@vaultsvc/contracts';

export interface Route {
  readonly operation: PublicOperation;
  /** Decoded path parameters by name; undefined for one whose percent-encoding is broken. */
  readonly params: Readonly<Record<string, string | undefined>>;
}

interface Node {
  readonly literals: Map<string, Node>;
  parameter: Node | undefined;
  readonly operations: Map<string, PublicOperation>;
}

const newNode = (): Node => ({ literals: new Map(), parameter: undefined, operations: new Map() });

/**
 * Finds the operation of a method and path. Exact: case, no trailing slash, no decoding of fixed segments (OPEN-55).
 * A fixed segment goes before a parameter (`/ingots/search` before `/ingots/{ingot_id}`). Built once; throws when
 * two operations claim the same method and path. An operation's aliases lead to it as its path does.
 */
export class Router {
  readonly #root = newNode();
  readonly #names = new Map<PublicOperation, readonly string[]>();
  /** Paths without parameters, which are the most used, in one look-up. */
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

  #add(operation: PublicOperation): void {
    const { path, aliases = [] } = operation.http;
    for (const served of [path, ...aliases]) this.#addPath(operation, served);
  }

  #addPath(operation: PublicOperation, path: string): void {
    const { method } = operation.http;
    const segments = path.split('/').slice(1);
    const names = segments.filter(isParameter).map((segment) => segment.slice(1, -1));
    const node = segments.reduce(grow, this.#root);
    if (node.operations.has(method)) throw new Error(`two operations claim ${method} ${path}`);
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

function isParameter(segment: string): boolean {
  return segment.startsWith('{') && segment.endsWith('}');
}

/** Each segment is decoded by itself, so that %2F is a character of a value and never a border. */
function decodeSegment(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
