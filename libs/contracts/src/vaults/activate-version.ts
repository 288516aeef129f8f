import { Flag, Int } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { VersionRef } from './version.js';

export class FinishedVersion extends VersionRef {
  @Int({ min: 1, description: 'Bytes that were received, which may be fewer than were announced.' })
  size_bytes: number;
}

export class VersionActivation {
  @Flag({ description: 'false: superseded or deleted meanwhile; whoever keeps its bytes drops them.' })
  is_active: boolean;
}

/** Makes a whole content the one that downloads give. Asked again it answers alike. */
export const activateVersion = operation({
  name: 'vaults.activate-version',
  summary: 'Makes the content of a finished upload the current one of its ingot.',
  access: 'internal',
  body: FinishedVersion,
  reply: VersionActivation,
  repeatable: true,
});
