import { JobScheduler, type RunningService } from '@vaultsvc/service';

/**
 * From here on jobs run when a spec runs them, and at no other time: a run of the service's own between what a spec
 * makes due and its look at what became of it would take the rows, and the run of the spec would skip them.
 */
export async function stopSchedule(...services: readonly RunningService[]): Promise<void> {
  await Promise.all(services.map(({ context }) => context.get(JobScheduler).stop()));
}
