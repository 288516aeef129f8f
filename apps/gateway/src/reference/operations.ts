import type { PublicOperation } from '@vaultsvc/contracts';

/** The endpoints that this gateway serves. */
export class Operations {
  constructor(readonly list: readonly PublicOperation[]) {}
}
