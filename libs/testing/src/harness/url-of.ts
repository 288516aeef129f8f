import type { AddressInfo } from 'node:net';
import type { NestApplication } from '@nestjs/core';
import type { RunningService } from '@vaultsvc/service';

/** The origin of a service that serves HTTP, without a slash at the end. */
export function urlOf({ context }: RunningService): string {
  const server = (context as NestApplication).getHttpServer() as { address(): AddressInfo };
  return `http://127.0.0.1:${server.address().port}`;
}
