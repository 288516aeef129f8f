export * from './pool.js';
export * from './reservation.js';
