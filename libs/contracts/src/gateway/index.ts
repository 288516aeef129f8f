export * from './config.js';
export * from './health.js';
