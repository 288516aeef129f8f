import { Injectable, Logger } from '@nestjs/common';
import type { Job } from '@vaultsvc/service';
import { AuditSinksConfig } from '../../settings/audit-sinks-config.js';
import { entriesBehind, oldestUnsent, sinksConfigured } from './sink-metrics.js';
import { SinkRegistryRepository, type RegisteredSink } from './sink-registry.repository.js';
import { destinationOf } from '../../settings/sink-settings.js';

/** Longer than a rollout replaces an instance: a sink is not removed while only its instances restart. */
const UNSEEN_SECONDS = 15 * 60;

/**
 * Keeps the register of sinks as the settings of the running instances have it, and updates the gauges. There is no account
 * whose log could have an entry about a sink, so that changes are logged, and their rows stay.
 */
@Injectable()
export class RegisterSinks implements Job {
  readonly everySeconds = 15;
  readonly #logger = new Logger('audit-sinks');
  readonly #sinks: readonly RegisteredSink[];
  #isFirstRun = true;

  constructor(
    private readonly registry: SinkRegistryRepository,
    config: AuditSinksConfig,
  ) {
    this.#sinks = config.AUDIT_SINKS.map((sink) => ({
      name: sink.name,
      destination: destinationOf(sink),
      isFromBeginning: sink.from === 'beginning',
    }));
  }

  async run(): Promise<void> {
    for (const sink of this.#sinks) await this.#register(sink);
    this.#isFirstRun = false;
    await this.registry.see(this.#sinks.map(({ name }) => name));
    for (const { name: sink, behind } of await this.registry.removeUnseen(UNSEEN_SECONDS))
      this.#logger.warn({ msg: 'audit sink removed', sink, entriesNotSent: behind });
    await this.#updateGauges();
  }

  async #register(sink: RegisteredSink): Promise<void> {
    const { name, destination } = sink;
    if (await this.registry.add(sink))
      this.#logger.warn({ msg: 'audit sink added', sink: name, destination });
    // Once: two instances with different settings, in a rollout, would change it back and forth.
    else if (this.#isFirstRun && (await this.registry.changeDestination(sink)))
      this.#logger.warn({ msg: 'audit sink changed', sink: name, destination });
  }

  async #updateGauges(): Promise<void> {
    const sinks = await this.registry.progress();
    for (const gauge of [entriesBehind, oldestUnsent]) gauge.reset();
    sinksConfigured.set(sinks.length);
    for (const { name: sink, behind, oldestSeconds } of sinks) {
      entriesBehind.set({ sink }, behind);
      oldestUnsent.set({ sink }, oldestSeconds);
    }
  }
}
