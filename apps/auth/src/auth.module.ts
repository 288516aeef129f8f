import { Module } from '@nestjs/common';
import { RedisModule } from '@vaultsvc/limits';
import { dataKeysProviders } from '@vaultsvc/service/keys';
import { AccountRepository } from './accounts/account.repository.js';
import { ApiKeyRepository } from './api-keys/api-key.repository.js';
import { CreateApiKey } from './api-keys/create-api-key.handler.js';
import { FlushKeyUses } from './api-keys/flush-key-uses.job.js';
import { ListApiKeys } from './api-keys/list-api-keys.handler.js';
import { RevokeApiKey } from './api-keys/revoke-api-key.handler.js';
import { AuthConfig } from './config.js';
import { PrincipalRepository } from './credentials/principal.repository.js';
import { ResolveCredential } from './credentials/resolve-credential.handler.js';
import { ClaimedDomains } from './domains/claimed-domains.js';
import { EndSession } from './sessions/end-session.handler.js';
import { ForgetSessions } from './sessions/forget-sessions.job.js';
import { GenerationRepository } from './sessions/generation.repository.js';
import { RefreshExchange } from './sessions/refresh-exchange.js';
import { RefreshSession } from './sessions/refresh-session.handler.js';
import { RefreshTokens } from './sessions/refresh-tokens.js';
import { SessionPartiesRepository } from './sessions/session-parties.repository.js';
import { SessionRecords } from './sessions/session-records.js';
import { SessionRepository } from './sessions/session.repository.js';
import { Sessions } from './sessions/sessions.js';
import { ListSigningKeys } from './signing-keys/list-signing-keys.handler.js';
import { ReadJwks } from './signing-keys/read-jwks.handler.js';
import { SigningKeyRepository } from './signing-keys/signing-key.repository.js';
import { SigningKeys } from './signing-keys/signing-keys.js';
import { AccessTokens } from './tokens/access-tokens.js';
import { MintViewerToken } from './tokens/mint-viewer-token.handler.js';

@Module({
  imports: [RedisModule.forRoot(AuthConfig)],
  providers: [
    ...dataKeysProviders('auth', AuthConfig),
    AccountRepository,
    ApiKeyRepository,
    PrincipalRepository,
    SessionRepository,
    SessionPartiesRepository,
    SessionRecords,
    Sessions,
    RefreshTokens,
    GenerationRepository,
    RefreshExchange,
    RefreshSession,
    EndSession,
    ForgetSessions,
    CreateApiKey,
    ListApiKeys,
    RevokeApiKey,
    FlushKeyUses,
    ResolveCredential,
    SigningKeyRepository,
    SigningKeys,
    ListSigningKeys,
    ReadJwks,
    AccessTokens,
    MintViewerToken,
    ClaimedDomains,
  ],
})
export class AuthModule {}
