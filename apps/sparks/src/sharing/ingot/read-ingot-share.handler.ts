import { Controller } from '@nestjs/common';
import type { Input } from '@vaultsvc/contracts';
import { readIngotShare, type IngotShare } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { IngotShareReader } from './ingot-share-reader.js';

@Controller()
export class ReadIngotShare {
  constructor(private readonly shares: IngotShareReader) {}

  @Handles(readIngotShare)
  async handle({ body }: Input<typeof readIngotShare>): Promise<IngotShare> {
    return this.shares.present(await this.shares.findActive(body));
  }
}
