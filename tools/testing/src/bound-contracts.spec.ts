import { describe, expect, it } from '@jest/globals';
import { MetadataScanner } from '@nestjs/core';
import { ListenerMetadataExplorer } from '@nestjs/microservices/listener-metadata-explorer.js';
import * as authContracts from '@vaultsvc/contracts/auth';
import * as forgeContracts from '@vaultsvc/contracts/forge';
import * as integrationsContracts from '@vaultsvc/contracts/integrations';
import * as notifyContracts from '@vaultsvc/contracts/notify';
import * as reportingContracts from '@vaultsvc/contracts/reporting';
import * as sparksContracts from '@vaultsvc/contracts/sparks';
import * as vaultsContracts from '@vaultsvc/contracts/vaults';
import type { Event, Operation } from '@vaultsvc/contracts';
import type { PatternExtras } from '@vaultsvc/messaging';
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
const declared = [
  authContracts,
  forgeContracts,
  integrationsContracts,
  notifyContracts,
  reportingContracts,
  sparksContracts,
  vaultsContracts,
]
  .flatMap((contracts) => Object.values<unknown>({ ...contracts }))
  .filter(isContract);

function isContract(value: unknown): value is Operation | Event {
  return typeof value === 'object' && value !== null && ('subject' in value || 'consumers' in value);
}

const explorer = new ListenerMetadataExplorer(new MetadataScanner());

/** The declarations of the marked methods of a service's controllers. */
const markedIn = ({ module }: Service): PatternExtras[] =>
  ((Reflect.getMetadata('controllers', module) ?? []) as { readonly prototype: object }[])
    .flatMap(({ prototype }) => explorer.explore(Object.create(prototype)))
    .map(({ extras }) => extras as PatternExtras);

const consumed = services.flatMap((service) =>
  markedIn(service)
    .flatMap(({ consumption }) => consumption?.events ?? [])
    .map(({ name }) => `${service.name} consumes ${name}`),
);
const handled = services.flatMap((service) =>
  markedIn(service).flatMap(({ operations = [] }) =>
    operations.map(({ name }) => `${service.name} handles ${name}`),
  ),
);

describe('The contracts', () => {
  it('name for each event exactly the services that consume it', () => {
    const expected = declared
      .filter((contract) => 'payload' in contract)
      .flatMap(({ name, consumers }) => consumers.map((service) => `${service} consumes ${name}`));
    expect(expected.length).toBeGreaterThan(20);
    // A service may also have a method for repeated deliveries of the same events.
    expect([...new Set(consumed)].toSorted()).toEqual(expected.toSorted());
  });

  it('have exactly one handler for each operation, in its service', () => {
    const expected = declared
      .filter((contract) => !('payload' in contract) && !('parts' in contract)) // the gateway streams the parts
      .map(({ name, service }) => `${service} handles ${name}`);
    expect(expected.length).toBeGreaterThan(60);
    expect(handled.toSorted()).toEqual(expected.toSorted());
  });
});
