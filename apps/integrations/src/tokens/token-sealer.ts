import { Injectable } from '@nestjs/common';
import { SealedTexts, type SealedText } from '@vaultsvc/crypto/data-keys';
import type { AppId } from '@vaultsvc/contracts/integrations';
import type { ProviderTokens } from '../providers/oauth-provider.js';

/** Seals the tokens of providers: a copy of the database does not reveal them. */
@Injectable()
export class TokenSealer {
  constructor(private readonly texts: SealedTexts) {}

  seal(accountId: string, appId: AppId, tokens: ProviderTokens): Promise<SealedText> {
    return this.texts.seal([accountId, appId], JSON.stringify(tokens));
  }

  async open(accountId: string, appId: AppId, sealed: SealedText): Promise<ProviderTokens> {
    return JSON.parse(await this.texts.open([accountId, appId], sealed)) as ProviderTokens;
  }
}
