import { allServices, services, shardedServices, type Settings } from './settings.ts';
import { ofSecondShard } from './stack-ports.ts';

/** A process of a service. */
export interface Instance {
  /** The name of its log and of its files elsewhere. */
  name: string;
  service: string;
  /** Those of its shard. */
  settings: Settings;
}

/** The processes of the stack: one of each service, or one of all; with `--clusters` also those of the second shard. */
export function instancesOf(settings: Settings): Instance[] {
  const names = settings.isOne ? [allServices] : services;
  const first = names.map((service) => ({ name: service, service, settings }));
  if (!settings.clusters) return first;
  const second = ofSecondShard(settings);
  const further = shardedServices.map((service) => ({
    name: instanceName(service, second),
    service,
    settings: second,
  }));
  return [...first, ...further];
}

/** An instance of the second shard has its number in its name. */
export function instanceName(service: string, { shard }: Pick<Settings, 'shard'>): string {
  return shard === 0 ? service : `${service}-${shard}`;
}

/** Whether a name is that of an instance, whose logger writes JSON. */
export function isInstance(name: string): boolean {
  return [...services, allServices].includes(name.replace(/-\d+$/, ''));
}
