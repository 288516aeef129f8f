import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import type { PublicOperation } from '@vaultsvc/contracts';
import { EnvelopeFilter } from '@vaultsvc/http';
import {
  credentialReader,
  poolSnapshotCache,
  rateLimiter,
  RedisModule,
  sharedCredentialKey,
  sharedPoolKey,
} from '@vaultsvc/limits';
import { AccessTokenVerifier } from './access/access-token-verifier.js';
import { RequestAuthenticator } from './access/request-authenticator.js';
import { SigningKeyCache } from './access/signing-key-cache.js';
import { LogFilesController } from './audit-log/log-files.controller.js';
import { GatewayConfig } from './config.js';
import { ApiResponder } from './exchange/api-responder.js';
import { ErrorResponseFactory } from './exchange/error-response-factory.js';
import { exchanges } from './exchange/exchange.js';
import { RequestLogger } from './exchange/request-logger.js';
import { FeedReader } from './feed/feed-reader.js';
import { FeedSockets } from './feed/feed-sockets.js';
import { FeedUpgrade } from './feed/feed-upgrade.js';
import { InstallController } from './install/install.controller.js';
import { LinkDocuments } from './links/link-documents.js';
import { LinkListener } from './links/link-listener.js';
import { LinkResponder } from './links/link-responder.js';
import { LinkServers } from './links/link-servers.js';
import { PanelController } from './panel/panel.controller.js';
import { BodyBudget } from './pipeline/body-budget.js';
import { CursorSigner } from './pipeline/cursor-signer.js';
import { NearestPath } from './pipeline/nearest-path.js';
import { OperationPipeline } from './pipeline/operation-pipeline.js';
import { PoolSnapshotLoader } from './pipeline/pool-snapshot-loader.js';
import { PublicConfigReader } from './pipeline/public-config-reader.js';
import { RefreshTokenDelivery } from './pipeline/refresh-token-delivery.js';
import { Router, ServedOperations } from './pipeline/router.js';
import { VaultAccessResolver } from './pipeline/vault-access-resolver.js';
import { ReferenceController } from './reference/reference.controller.js';
import { PublicListener } from './server/public-listener.js';
import { UnsubscribeController } from './unsubscribe/unsubscribe.controller.js';
import { SignInClientController } from './web/sign-in-client.controller.js';
import { WebController } from './web/web.controller.js';

@Module({
  imports: [
    RedisModule.forRoot(GatewayConfig, [
      rateLimiter(GatewayConfig),
      credentialReader(GatewayConfig),
      poolSnapshotCache(GatewayConfig),
      sharedCredentialKey(GatewayConfig),
      sharedPoolKey(GatewayConfig),
    ]),
  ],
  controllers: [
    ReferenceController,
    InstallController,
    LogFilesController,
    PanelController,
    UnsubscribeController,
    SignInClientController,
    WebController,
  ],
  providers: [
    NearestPath,
    PublicListener,
    FeedUpgrade,
    FeedSockets,
    FeedReader,
    LinkListener,
    LinkServers,
    LinkDocuments,
    LinkResponder,
    OperationPipeline,
    BodyBudget,
    RequestAuthenticator,
    AccessTokenVerifier,
    SigningKeyCache,
    PoolSnapshotLoader,
    RefreshTokenDelivery,
    VaultAccessResolver,
    CursorSigner,
    PublicConfigReader,
    ApiResponder,
    ErrorResponseFactory,
    RequestLogger,
    {
      provide: APP_FILTER,
      useFactory: (responder: ApiResponder) => new EnvelopeFilter(exchanges, responder),
      inject: [ApiResponder],
    },
  ],
})
export class GatewayModule {
  /** The gateway for a list of operations: the catalogue, or those of a test. */
  static over(operations: readonly PublicOperation[]): DynamicModule {
    return {
      module: GatewayModule,
      providers: [
        { provide: ServedOperations, useValue: new ServedOperations(operations) },
        { provide: Router, useValue: new Router(operations.filter(isOfApi)) },
      ],
    };
  }
}

/** Operations of link pages are routed on their own origins and not on the API's (OPEN-22). */
function isOfApi({ http }: PublicOperation): boolean {
  return http.surface === undefined;
}
