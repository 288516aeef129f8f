import type { PublicOperation } from '@vaultsvc/contracts';
import type { Platform } from '@vaultsvc/tools-testing/platform';

/** The origin of an operation: of the link pages, or of the API (OPEN-22). */
export function originOf({ url, linkUrl }: Platform, { http }: PublicOperation): string {
  return http.surface === 'links' ? linkUrl : url;
}

/** Operations as cases of `it.each`, with the title `$operation`. */
export function operationCases(
  operations: readonly PublicOperation[],
): { op: PublicOperation; operation: string }[] {
  return operations.map((op) => ({ op, operation: `${op.http.method} ${op.http.path}` }));
}
