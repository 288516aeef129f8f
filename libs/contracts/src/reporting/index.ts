export * from './audit-export.js';
export * from './audit.js';
export * from './audit-types.js';
export * from './pool.js';
export * from './reservation.js';
