import { Module } from '@nestjs/common';
import {
  credentialCache,
  poolSnapshotCache,
  RedisModule,
  sharedCredentialKey,
  sharedPoolKey,
} from '@vaultsvc/limits';
import { scheduled } from '@vaultsvc/service';
import { dataKeysProviders } from '@vaultsvc/service/keys';
import { AccountDetailsRepository } from './accounts/account-details.repository.js';
import { AccountRepository } from './accounts/account.repository.js';
import { DeleteAccountLogo } from './accounts/delete-account-logo.handler.js';
import { ReadAccount } from './accounts/read-account.handler.js';
import { UpdateAccount } from './accounts/update-account.handler.js';
import { ApiKeyRepository } from './api-keys/api-key.repository.js';
import { CreateApiKey } from './api-keys/create-api-key.handler.js';
import { FlushKeyUses } from './api-keys/flush-key-uses.job.js';
import { ListApiKeys } from './api-keys/list-api-keys.handler.js';
import { ReadApiKeyAnalytics } from './api-keys/read-api-key-analytics.handler.js';
import { RevokeApiKey } from './api-keys/revoke-api-key.handler.js';
import { AuthConfig } from './config.js';
import { DescribeActor } from './credentials/describe-actor.handler.js';
import { PrincipalRepository } from './credentials/principal.repository.js';
import { ResolveCredential } from './credentials/resolve-credential.handler.js';
import { ChallengeDomain } from './domains/challenge-domain.handler.js';
import { ChallengeRecords } from './domains/challenge-records.js';
import { ClaimDomain } from './domains/claim-domain.handler.js';
import { ClaimRules } from './domains/claim-rules.js';
import { DescribeDomainWarning } from './domains/describe-domain-warning.handler.js';
import { DomainCheckRepository } from './domains/domain-check.repository.js';
import { DomainClaimLookup } from './domains/domain-claim-lookup.js';
import { DomainControlVerifier } from './domains/domain-control-verifier.js';
import { DomainRepository } from './domains/domain.repository.js';
import { ListDomains } from './domains/list-domains.handler.js';
import { PlatformDomains } from './domains/platform-domains.js';
import { RecheckDomains } from './domains/recheck-domains.job.js';
import { ReleaseDomain } from './domains/release-domain.handler.js';
import { TxtResolver } from './domains/txt-resolver.js';
import { IdentityProvider } from './identity/identity-provider.js';
import { IdentityRepository } from './identity/identity.repository.js';
import { SessionUpgrade } from './identity/session-upgrade.js';
import { UsedIdTokenRepository } from './identity/used-id-token.repository.js';
import { AcceptInvitation } from './invitations/accept-invitation.handler.js';
import { DeclineInvitation } from './invitations/decline-invitation.handler.js';
import { DescribeInvitation } from './invitations/describe-invitation.handler.js';
import { ExpireInvitations } from './invitations/expire-invitations.job.js';
import { InvitationAcceptance } from './invitations/invitation-acceptance.js';
import { InvitationRemoval } from './invitations/invitation-removal.js';
import { InvitationRepository } from './invitations/invitation.repository.js';
import { PendingInvitations } from './invitations/pending-invitations.js';
import { DeleteExpiredSessions } from './sessions/delete-expired-sessions.job.js';
import { EndSession } from './sessions/end-session.handler.js';
import { GenerationRepository } from './sessions/generation.repository.js';
import { ListSessions } from './sessions/list-sessions.handler.js';
import { OwnSessionRepository } from './sessions/own-session.repository.js';
import { RefreshSession } from './sessions/refresh-session.handler.js';
import { RefreshTokenExchange } from './sessions/refresh-token-exchange.js';
import { RefreshTokens } from './sessions/refresh-tokens.js';
import { RevokeSession } from './sessions/revoke-session.handler.js';
import { SessionIssuer } from './sessions/session-issuer.js';
import { SessionLimit } from './sessions/session-limit.js';
import { SessionOpener } from './sessions/session-opener.js';
import { SessionProfileRepository } from './sessions/session-profile.repository.js';
import { SessionRecordWriter } from './sessions/session-record-writer.js';
import { SessionRepository } from './sessions/session.repository.js';
import { DescribeOwner } from './settings/describe-owner.handler.js';
import { ReadLinkPolicy } from './settings/read-link-policy.handler.js';
import { ReadSettings } from './settings/read-settings.handler.js';
import { SettingsRepository } from './settings/settings.repository.js';
import { UpdateSettings } from './settings/update-settings.handler.js';
import { AccountRegistration } from './sign-in/account-registration.js';
import { CompleteSignup } from './sign-in/complete-signup.handler.js';
import { ExchangeCode } from './sign-in/exchange-code.handler.js';
import { ReadSignInClient } from './sign-in/read-sign-in-client.handler.js';
import { SignIn } from './sign-in/sign-in.js';
import { VerifyIdentity } from './sign-in/verify-identity.handler.js';
import { AccessTokenKeys } from './signing-keys/access-token-keys.js';
import { ListSigningKeys } from './signing-keys/list-signing-keys.handler.js';
import { ReadJwks } from './signing-keys/read-jwks.handler.js';
import { ReceiptKeyRepository } from './signing-keys/receipt-key.repository.js';
import { ReceiptKeys } from './signing-keys/receipt-keys.js';
import { SignReceipts } from './signing-keys/sign-receipts.handler.js';
import { SigningKeyRepository } from './signing-keys/signing-key.repository.js';
import { AccessTokens } from './tokens/access-tokens.js';
import { MintViewerToken } from './tokens/mint-viewer-token.handler.js';
import { EndSessionsOfRemovedUsers } from './users/end-sessions-of-removed-users.job.js';
import { InvitationChecks } from './users/invitation-checks.js';
import { InviteUser } from './users/invite-user.handler.js';
import { ListUsers } from './users/list-users.handler.js';
import { ReadMe } from './users/read-me.handler.js';
import { ReadProfile } from './users/read-profile.handler.js';
import { RemoveUser } from './users/remove-user.handler.js';
import { RemovedUserSessions } from './users/removed-user-sessions.js';
import { ResendInvitation } from './users/resend-invitation.handler.js';
import { SeatLimit } from './users/seat-limit.js';
import { UpdateProfile } from './users/update-profile.handler.js';
import { UpdateUser } from './users/update-user.handler.js';
import { DeleteOwnerNotices } from './owners/delete-owner-notices.job.js';
import { DescribeOwnerNotice } from './owners/describe-owner-notice.handler.js';
import { OwnerNotices } from './owners/owner-notices.js';
import { UserRepository } from './users/user.repository.js';

@Module({
  imports: [
    RedisModule.forRoot(AuthConfig, [
      credentialCache(AuthConfig),
      poolSnapshotCache(AuthConfig),
      sharedCredentialKey(AuthConfig, { writes: true }),
      sharedPoolKey(AuthConfig),
    ]),
  ],
  controllers: [
    ReadAccount,
    UpdateAccount,
    DeleteAccountLogo,
    ReadSettings,
    ReadLinkPolicy,
    DescribeOwner,
    UpdateSettings,
    ReadMe,
    ReadProfile,
    UpdateProfile,
    ListUsers,
    InviteUser,
    ResendInvitation,
    UpdateUser,
    RemoveUser,
    AcceptInvitation,
    DeclineInvitation,
    DescribeInvitation,
    RefreshSession,
    EndSession,
    ListSessions,
    RevokeSession,
    CreateApiKey,
    ListApiKeys,
    ReadApiKeyAnalytics,
    RevokeApiKey,
    ResolveCredential,
    DescribeActor,
    ListSigningKeys,
    ReadJwks,
    SignReceipts,
    MintViewerToken,
    ExchangeCode,
    ReadSignInClient,
    VerifyIdentity,
    CompleteSignup,
    ListDomains,
    ChallengeDomain,
    ClaimDomain,
    ReleaseDomain,
    DescribeDomainWarning,
    DescribeOwnerNotice,
  ],
  providers: [
    ...dataKeysProviders('auth', AuthConfig),
    AccountRepository,
    AccountDetailsRepository,
    SettingsRepository,
    UserRepository,
    OwnerNotices,
    SeatLimit,
    RemovedUserSessions,
    InvitationRepository,
    PendingInvitations,
    InvitationAcceptance,
    InvitationChecks,
    InvitationRemoval,
    ApiKeyRepository,
    PrincipalRepository,
    SessionRepository,
    OwnSessionRepository,
    SessionProfileRepository,
    SessionRecordWriter,
    SessionIssuer,
    SessionLimit,
    RefreshTokens,
    GenerationRepository,
    RefreshTokenExchange,
    ...scheduled(
      DeleteExpiredSessions,
      EndSessionsOfRemovedUsers,
      ExpireInvitations,
      DeleteOwnerNotices,
      FlushKeyUses,
      RecheckDomains,
    ),
    SigningKeyRepository,
    AccessTokenKeys,
    ReceiptKeyRepository,
    ReceiptKeys,
    AccessTokens,
    DomainClaimLookup,
    IdentityProvider,
    IdentityRepository,
    SessionOpener,
    SessionUpgrade,
    UsedIdTokenRepository,
    SignIn,
    AccountRegistration,
    DomainRepository,
    PlatformDomains,
    ClaimRules,
    ChallengeRecords,
    TxtResolver,
    DomainControlVerifier,
    DomainCheckRepository,
  ],
})
export class AuthModule {}
