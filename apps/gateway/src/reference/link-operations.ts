import type { PublicOperation } from '@vaultsvc/contracts';

/** Whether it is served on the origins of link pages, and not on that of the API. */
export function isOfLinks({ http }: PublicOperation): boolean {
  return http.surface === 'links';
}

/** Where else the same operation is found; undefined where it is not. */
export function aliasSentence({ http: { method, aliases = [] } }: PublicOperation): string | undefined {
  if (aliases.length === 0) return undefined;
  return `The same at ${aliases.map((path) => `${method} ${path}`).join(', ')}.`;
}
