import { JobScheduler, type RunningService } from '@vaultsvc/service';

/**
 * Stops the schedules of services, so that jobs run only when a spec runs them. A scheduled run could otherwise lock rows
 * that a spec has made due, and the run of the spec would skip them.
 */
export async function stopSchedule(...services: readonly RunningService[]): Promise<void> {
  await Promise.all(services.map(({ context }) => context.get(JobScheduler).stop()));
}
