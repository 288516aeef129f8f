export { defineService, type ServiceDefinition } from './define-service.js';
export { ForcedShutdown } from './forced-shutdown.js';
export { createLogger, describeError, NestLogger } from './logger.js';
export { type ReadinessCheck } from './private-server.js';
export { ReadinessChecks } from './private-server.js';
export { PeriodicJob } from './periodic-job.js';
export { runService } from './run-service.js';
export { JobScheduler, scheduled, type Job } from './job-scheduler.js';
export { startService, type RunningService } from './start-service.js';
