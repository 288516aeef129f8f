import type { PublicOperation } from '@vaultsvc/contracts';

/** Operations as rows of `it.each`, called `$title` there. */
export function titled(operations: readonly PublicOperation[]): { op: PublicOperation; title: string }[] {
  return operations.map((op) => ({ op, title: `${op.http.method} ${op.http.path}` }));
}
