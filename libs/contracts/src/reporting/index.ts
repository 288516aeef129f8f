export * from './load-funds.js';
