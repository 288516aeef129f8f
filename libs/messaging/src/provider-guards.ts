import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { providerOf, type Operation } from '@vaultsvc/contracts';
import { ProviderGuard } from './provider-guard.js';

/** Finds the guards of a service among the providers of its modules. */
@Injectable()
export class ProviderGuards {
  constructor(private readonly discovery: DiscoveryService) {}

  /** The guard of an operation; undefined where no provider calls it. @throws Error without exactly one */
  of(op: Operation): ProviderGuard | undefined {
    const provider = providerOf(op);
    if (provider === undefined) return undefined;
    const [guard, ...others] = this.#all().filter(({ providers }) => providers.includes(provider));
    if (guard && others.length === 0) return guard;
    throw new Error(
      `${op.name} needs one ProviderGuard of ${provider}, and has ${guard ? 'several' : 'none'}`,
    );
  }

  #all(): ProviderGuard[] {
    const instances = this.discovery.getProviders().map(({ instance }): unknown => instance);
    return [...new Set(instances.filter((instance) => instance instanceof ProviderGuard))];
  }
}
