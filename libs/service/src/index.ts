export { defineService, type ServiceDefinition } from './define-service.js';
export { GraceOver } from './grace-over.js';
export { createLogger, describeError, NestLogger } from './logger.js';
export { type ReadinessCheck } from './private-server.js';
export { Readiness } from './readiness.js';
export { Repeating } from './repeating.js';
export { runService } from './run-service.js';
export { Schedule, scheduled, type Job } from './schedule.js';
export { startService, type RunningService } from './start-service.js';
