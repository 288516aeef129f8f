import type { PublicOperation } from '@vaultsvc/contracts';

/** Operations as rows of `it.each`, called `$operation` there. */
export function titled(operations: readonly PublicOperation[]): { op: PublicOperation; operation: string }[] {
  return operations.map((op) => ({ op, operation: `${op.http.method} ${op.http.path}` }));
}
