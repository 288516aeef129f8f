import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import type { PublicOperation } from '@vaultsvc/contracts';
import { RedisModule } from '@vaultsvc/limits';
import { AccessTokens } from './access/access-tokens.js';
import { Door } from './access/door.js';
import { SigningKeys } from './access/signing-keys.js';
import { Answers } from './answer/answers.js';
import { EnvelopeFilter } from './answer/envelope.filter.js';
import { Refusals } from './answer/refusals.js';
import { RequestLog } from './answer/request-log.js';
import { Calls } from './calling/calls.js';
import { Cursors } from './calling/cursors.js';
import { PoolSnapshotLoader } from './calling/pool-snapshot-loader.js';
import { ServiceCalls } from './calling/service-calls.js';
import { SessionDelivery } from './calling/session-delivery.js';
import { VaultGate } from './calling/vault-gate.js';
import { GatewayConfig } from './config.js';
import { LinkAnswers } from './links/link-answers.js';
import { LinkDocuments } from './links/link-documents.js';
import { LinkListener } from './links/link-listener.js';
import { LinkServers } from './links/link-servers.js';
import { Operations } from './reference/operations.js';
import { ReferenceController } from './reference/reference.controller.js';
import { Router } from './routing/router.js';
import { PublicListener } from './server/public-listener.js';

/** The gateway over a list of endpoints: the catalogue, or a test's own. */
@Module({})
export class GatewayModule {
  static over(operations: readonly PublicOperation[]): DynamicModule {
    return {
      module: GatewayModule,
      imports: [RedisModule.forRoot(GatewayConfig)],
      controllers: [ReferenceController],
      providers: [
        { provide: Operations, useValue: new Operations(operations) },
        { provide: Router, useValue: new Router(operations.filter(isOfApi)) },
        PublicListener,
        LinkListener,
        LinkServers,
        LinkDocuments,
        LinkAnswers,
        Calls,
        Door,
        AccessTokens,
        SigningKeys,
        PoolSnapshotLoader,
        SessionDelivery,
        VaultGate,
        ServiceCalls,
        Cursors,
        Answers,
        Refusals,
        RequestLog,
        { provide: APP_FILTER, useClass: EnvelopeFilter },
      ],
    };
  }
}

/** Operations of link pages have routers of their own: the origin of the API does not know them (OPEN-22). */
function isOfApi({ http }: PublicOperation): boolean {
  return http.surface === undefined;
}
