export * from './load-funds.js';
export * from './read-funds.js';
export * from './reserve-storage.js';
