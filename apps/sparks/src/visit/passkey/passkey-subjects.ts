import { Injectable } from '@nestjs/common';
import { formerKeysOf } from '@vaultsvc/contracts';
import { DataKeys, permanent } from '@vaultsvc/crypto/data-keys';
import { mac } from '@vaultsvc/crypto/mac';
import type { PasskeySubject } from './passkey.repository.js';

const PASSKEYS_PURPOSE = 'passkeys';

/** Whose passkey it is: an identity of an account's recipient, as a MAC. */
@Injectable()
export class PasskeySubjects {
  constructor(private readonly keys: DataKeys) {}

  /**
   * In the order of the identities. The same for all links of the account, by a key without rotation. A passkey that was
   * enrolled under a former key of its identity cannot be moved: only MACs are stored.
   */
  of(accountId: string, identities: readonly string[]): Promise<PasskeySubject[]> {
    return this.keys.current(PASSKEYS_PURPOSE, permanent, (key) =>
      identities.map((identity) => {
        const macs = formerKeysOf(identity).map((text) => mac(key, 'vk/v1/passkey-subject', accountId, text));
        const [current, ...former] = macs as [Buffer, ...Buffer[]];
        return { accountId, mac: current, former };
      }),
    );
  }
}
