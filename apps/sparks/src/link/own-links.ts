import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { codeHashOf } from './link-codes.js';
import { LinkRepository, type LinkRow } from './link.repository.js';

/** Links as their owner names them: by their code. */
@Injectable()
export class OwnLinks {
  constructor(private readonly links: LinkRepository) {}

  /** Throws SPARKLINK_NOT_FOUND alike for what is no code, an unknown one, and one of another account (LNK-07). */
  async find(code: string, accountId: string): Promise<LinkRow> {
    const codeHash = codeHashOf(code);
    const link = codeHash && (await this.links.findByCode(codeHash, accountId));
    if (!link) throw new AppError('SPARKLINK_NOT_FOUND');
    return link;
  }
}
