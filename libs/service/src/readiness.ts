import { Injectable } from '@nestjs/common';
import type { ReadinessCheck } from './private-server.js';

/** Where a module adds what `/readyz` asks after, beyond the database and NATS. */
@Injectable()
export class Readiness {
  readonly checks: ReadinessCheck[] = [];

  add(name: string, check: () => Promise<void>): void {
    this.checks.push({ name, check });
  }
}
