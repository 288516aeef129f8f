import { describe, expect, it } from '@jest/globals';
import * as authContracts from '@vaultsvc/contracts/auth';
import * as forgeContracts from '@vaultsvc/contracts/forge';
import * as reportingContracts from '@vaultsvc/contracts/reporting';
import * as sparksContracts from '@vaultsvc/contracts/sparks';
import * as vaultsContracts from '@vaultsvc/contracts/vaults';
import type { Event, Operation } from '@vaultsvc/contracts';
import { consumersOf, handlersOf } from '@vaultsvc/messaging';
import type { ServiceDefinition } from '@vaultsvc/service';
import { auth } from '../../../apps/auth/src/service-definition.js';
import { forge } from '../../../apps/forge/src/service-definition.js';
import { integrations } from '../../../apps/integrations/src/service-definition.js';
import { notify } from '../../../apps/notify/src/service-definition.js';
import { reporting } from '../../../apps/reporting/src/service-definition.js';
import { sparks } from '../../../apps/sparks/src/service-definition.js';
import { vaults } from '../../../apps/vaults/src/service-definition.js';

type Service = Pick<ServiceDefinition, 'name' | 'module'>;

const services: readonly Service[] = [auth, forge, integrations, notify, reporting, sparks, vaults];
const declared = [authContracts, forgeContracts, reportingContracts, sparksContracts, vaultsContracts]
  .flatMap((contracts) => Object.values<unknown>({ ...contracts }))
  .filter(
    (value): value is Operation | Event => typeof value === 'object' && value !== null && 'subject' in value,
  );

/** Providers as the module lists them; a prototype knows what its methods handle without an instance. */
const prototypesOf = ({ module }: Service): object[] =>
  ((Reflect.getMetadata('providers', module) ?? []) as unknown[])
    .filter((provider): provider is { prototype: object } => typeof provider === 'function')
    .map(({ prototype }) => Object.create(prototype) as object);

const applied = services.flatMap((service) =>
  prototypesOf(service)
    .flatMap(consumersOf)
    .flatMap(({ events }) => events.map(({ name }) => `${service.name} applies ${name}`)),
);
const answered = services.flatMap((service) =>
  prototypesOf(service)
    .flatMap(handlersOf)
    .map(({ op }) => `${service.name} answers ${op.name}`),
);

describe('what the contracts declare', () => {
  it('every event is applied by each service that it names, once, and by no other', () => {
    const promised = declared
      .filter((contract) => 'payload' in contract)
      .flatMap(({ name, consumers }) => consumers.map((service) => `${service} applies ${name}`));
    expect(promised.length).toBeGreaterThan(20);
    expect(applied.toSorted()).toEqual(promised.toSorted());
  });

  it('every operation is answered by one handler of its service', () => {
    const promised = declared
      .filter((contract) => !('payload' in contract))
      .map(({ name, service }) => `${service} answers ${name}`);
    expect(promised.length).toBeGreaterThan(60);
    expect(answered.toSorted()).toEqual(promised.toSorted());
  });
});
